import type * as fs from "node:fs/promises";
import type * as git from "../../../src/adapters/git/process/run-git.ts";
import type * as processes from "../../../src/adapters/git/process/run-process.ts";
import type * as removal from "../../../src/adapters/git/worktree/remove-tree.ts";

/** Thrown in place of a step at which the host dies, and of every later one of the same life. */
class Died extends Error {}

/**
 * Commands of git that change a ref, files of a worktree, a bundle or the server. The others read, add objects that
 * nothing leads to yet, or write an index: a death before one of them leaves what a death before the next change does.
 */
const CHANGES = /^(?:update-ref|-u|create|push|fetch|add)$/;

let life = { changes: 0, diesAt: 0, over: false };

/** A new life, which ends just before its `diesAt`th change of the disk; 0 = it does not. */
export function begin(diesAt: number): void {
  life = { changes: 0, diesAt, over: false };
}

/** The changes of this life so far. */
export function changes(): number {
  return life.changes;
}

/** True for a life that has ended, and for an error by which it did. */
export function died(): boolean {
  return life.over;
}

/** `partly`: what of the act is done when the host dies in the middle of it. */
async function change<T>(act: () => Promise<T>, partly = () => Promise.resolve()): Promise<T> {
  if (life.over) throw new Died("the host is dead");
  life.changes += 1;
  if (life.changes !== life.diesAt) return act();
  life.over = true;
  await partly();
  throw new Died("the host dies here");
}

/** git, with which the host can die. */
export function mortalGit(real: typeof git): typeof git {
  return {
    ...real,
    runGit: (host, call) => {
      if (life.over) return Promise.reject(new Died("the host is dead"));
      const act = () => real.runGit(host, call);
      return call.args.some((argument) => CHANGES.test(argument)) ? change(act) : act();
    },
  };
}

/** git on the files of worktrees, with which the host can die. */
export function mortalProcesses(real: typeof processes): typeof processes {
  return {
    ...real,
    runProcess: (command, options) => {
      if (life.over) return Promise.reject(new Died("the host is dead"));
      const act = () => real.runProcess(command, options);
      return command.args.some((argument) => CHANGES.test(argument)) ? change(act) : act();
    },
  };
}

/** The file system, with which the host can die: also in the middle of deleting a directory. */
export function mortalFiles(real: typeof fs): typeof fs {
  const rm: typeof fs.rm = (path, options) => {
    const act = () => real.rm(path, options);
    return isWork(path) ? change(act, () => removeHalf(real, String(path))) : act();
  };
  const rename: typeof fs.rename = (from, to) => {
    const act = () => real.rename(from, to);
    return isWork(from) || isWork(to) ? change(act) : act();
  };
  return { ...real, rm, rename };
}

/** Deleting directories, in the middle of which the host can die. */
export function mortalRemoval(real: typeof removal): typeof removal {
  return {
    ...real,
    removeTree: (path) => {
      const act = () => real.removeTree(path);
      return isWork(path) ? change(act, () => removeFiles(path)) : act();
    },
  };
}

/** In worktrees, in git's data of them, and in archives. One file there is removed before every command. */
function isWork(path: unknown): boolean {
  return /\/(?:worktrees|archives)\/(?!.*config\.worktree$)/.test(String(path));
}

async function removeHalf(real: typeof fs, path: string): Promise<void> {
  const names = await real.readdir(path).catch(() => []);
  for (const name of names.slice(0, names.length / 2)) await real.rm(`${path}/${name}`, { recursive: true });
}

async function removeFiles(path: string): Promise<void> {
  const { readdir, rm } = await import("node:fs/promises");
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => !one.isDirectory())) await rm(`${path}/${entry.name}`);
}
