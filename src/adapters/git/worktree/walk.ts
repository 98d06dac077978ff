import type { Dirent } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Directory, unlessGone } from "./directory.ts";

export interface Visitor {
  /** Called with each directory before it is read. */
  readonly enter?: (directory: Directory) => void;
  /** Called with each entry that is not a directory. */
  readonly entry?: (directory: Directory, entry: Dirent) => void | Promise<void>;
  /** Called after everything below a directory has been visited. */
  readonly leave?: (parent: Directory, name: string) => void;
}

interface Level {
  readonly name: string;
  /** Names of its subdirectories that are still to be visited. */
  readonly left: string[];
  /** Null while it is closed. */
  directory: Directory | null;
  /** Set when it is closed. */
  identity: string | null;
}

/** Maximum number of levels of a deep tree whose handles are open at the same time. */
const MOST_OPEN = 64;
/** Entries visited at a time: some milliseconds of work, after which the event loop continues. */
const ENTRIES_AT_ONCE = 1_000;
/** Cost of entering or leaving a directory, in entries. */
const STEP = 8;

/**
 * Visits a directory and everything below it, without following links and without recursion, whatever other processes
 * do to the tree. Skips entries that have disappeared. Yields to the event loop. Visits at most `deepest` levels of
 * directories, including the top.
 */
export async function walk(
  top: Directory,
  visitor: Visitor,
  deepest = Number.POSITIVE_INFINITY,
): Promise<void> {
  const levels: Level[] = [];
  let work = 0;
  const isEnough = (more: number) => {
    work += more;
    if (work < ENTRIES_AT_ONCE) return false;
    work = 0;
    return true;
  };
  const enter = async (directory: Directory, name: string) => {
    const level: Level = { name, left: [], directory, identity: null };
    levels.push(level);
    visitor.enter?.(directory);
    const acts: Promise<void>[] = [];
    try {
      for (const entry of directory.entries()) {
        if (entry.isDirectory()) {
          if (levels.length < deepest) level.left.push(entry.name);
        } else {
          const act = visitor.entry?.(directory, entry);
          if (act !== undefined) acts.push(act);
        }
        if (!isEnough(1)) continue;
        await Promise.all([settle(acts), setImmediate()]);
      }
    } finally {
      await settle(acts);
    }
  };
  try {
    await enter(top, "");
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      // Empty and missing directories take time too.
      if (isEnough(STEP)) await setImmediate();
      const { directory } = level;
      const name = level.left.pop();
      if (directory === null) throw new Error("a walk came to a directory that is closed");
      if (name === undefined) {
        levels.pop();
        leave(levels, level.name, directory, visitor);
        continue;
      }
      const child = unlessGone(() => directory.directory(name));
      if (child === undefined) continue;
      closeFarAbove(levels);
      await enter(child, name);
    }
  } finally {
    for (const { directory } of levels.slice(1)) directory?.close();
  }
}

/** Waits for all acts, because none may continue after the directory is closed. Throws the first error. */
async function settle(acts: Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(acts.splice(0));
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

/** The caller closes the top, so it stays open. */
function closeFarAbove(levels: readonly Level[]): void {
  const far = levels.at(-MOST_OPEN);
  if (far === undefined || far === levels[0] || far.directory === null) return;
  far.identity = far.directory.identity();
  far.directory.close();
  far.directory = null;
}

/**
 * Returns to the parent level. If the parent was closed, it is reopened and must be the same directory; if the
 * directory was moved, the walk continues at the nearest open level.
 */
function leave(levels: Level[], name: string, directory: Directory, visitor: Visitor): void {
  const above = levels.at(-1);
  if (above === undefined) return;
  try {
    if (above.directory === null) {
      const parent = unlessGone(() => directory.directory(".."));
      if (parent?.identity() === above.identity) above.directory = parent ?? null;
      else parent?.close();
    }
    if (above.directory !== null) return visitor.leave?.(above.directory, name);
    while (levels.at(-1)?.directory === null) levels.pop();
  } finally {
    directory.close();
  }
}
