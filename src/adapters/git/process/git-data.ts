import { existsSync } from "node:fs";
import { join, relative } from "node:path";

/** git's data of one worktree, as far as its agent may read it: the mirror without the other worktrees in it. */
export interface GitData {
  readonly mirror: string;
  /** Where the mirror keeps the data of all its worktrees. */
  readonly entries: string;
  readonly entry: string;
}

/**
 * Returns git's data of the worktree at this directory; null if it is not a worktree. Derives the paths from our own
 * layout, never from the worktree's `.git`.
 */
export function gitDataOf(dataDir: string, directory: string): GitData | null {
  const [id = "", name = "", ...more] = relative(join(dataDir, "worktrees"), directory).split("/");
  if (!/^\d+$/.test(id) || !/^[\w.-]+$/.test(name) || name === ".." || more.length > 0) return null;
  const mirror = join(dataDir, "mirrors", `${id}.git`);
  const entries = join(mirror, "worktrees");
  const entry = join(entries, name);
  return existsSync(entry) ? { mirror, entries, entry } : null;
}
