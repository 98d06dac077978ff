import { mkdtemp, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { isAnotherAlive } from "../../adapters/sandbox/temporary-directory.ts";

const OURS = /^doctor-(\d+)-[A-Za-z0-9]{6}$/;

let isTidied = false;

/**
 * Creates the directory of a trial, as a path without links. The first call removes those that killed processes left; a name
 * contains the pid of its process.
 */
export async function makeTrialDirectory(dataDir: string): Promise<string> {
  const parent = await realpath(dataDir);
  if (!isTidied) await removeLeftovers(parent);
  isTidied = true;
  return mkdtemp(join(parent, `doctor-${process.pid}-`));
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = OURS.exec(name)?.[1];
    if (pid !== undefined && !isAnotherAlive(Number(pid))) await removeTree(join(parent, name));
  }
}
