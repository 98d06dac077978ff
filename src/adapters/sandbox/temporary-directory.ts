import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OURS = /^flotilla-(?:egress|filter|probe)-(\d+)-[A-Za-z0-9]{6}$/;

let isTidied = false;

/**
 * Makes a directory for this process in the system's temporary directory. The first call deletes what earlier processes of
 * this user left there when they were killed; the name says which process made a directory.
 */
export function makeTemporaryDirectory(kind: "egress" | "filter" | "probe"): string {
  if (!isTidied) deleteLeftovers(tmpdir());
  isTidied = true;
  return mkdtempSync(join(tmpdir(), `flotilla-${kind}-${process.pid}-`));
}

function deleteLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = OURS.exec(name)?.[1];
    if (pid === undefined || isAnotherAlive(Number(pid))) continue;
    const path = join(directory, name);
    try {
      const found = lstatSync(path);
      if (found.isDirectory() && found.uid === process.geteuid?.()) rmSync(path, { recursive: true });
    } catch {
      // It takes little room, and another process may have deleted it meanwhile.
    }
  }
}

/** Our own number on a directory that we did not make is an earlier process's: numbers begin again in a container. */
function isAnotherAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
