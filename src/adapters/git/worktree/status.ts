import { lstat, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeRef, WorktreeStatus } from "../../../domain/ports/worktrees.ts";
import { commitAt, headOf, isWithin } from "../mirror/commits.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { readSomeChanges } from "./changes.ts";

const MOST_PATHS = 100;

/**
 * Reads the state of the worktree without asking the server. A missing worktree is clean; its head is the kept
 * branch's.
 */
export async function readStatus(host: GitHost, ref: WorktreeRef): Promise<WorktreeStatus> {
  const place = worktreePathsOf(host.dataDir, ref);
  if ((await worktreeState(host, ref)) !== "ready") {
    const mirrored = await stat(place.mirror).catch(() => null);
    const kept =
      mirrored && place.branchRef !== null ? await commitAt(host, ref.repository, place.branchRef) : null;
    const pushed = kept === null || (await isSafe(host, ref, kept));
    return { exists: false, clean: true, pushed, head: kept, changed: [] };
  }
  const head = await headOf(host, ref);
  const { changes } = await readSomeChanges(host, ref, { most: MOST_PATHS });
  return {
    exists: true,
    clean: changes.length === 0,
    pushed: await isSafe(host, ref, head),
    head,
    changed: changes.map(({ path }) => path),
  };
}

/**
 * Content of the lock of a worktree whose files are being replaced. Any other lock means that the worktree has not been
 * used yet.
 */
export const REWRITTEN = "its files are being replaced\n";

/**
 * ready: an agent can work in it. unfinished: a crash interrupted its creation, and nobody has used it. interrupted: a
 * crash interrupted the replacement of its files; the new ones are saved, but files that git ignores exist only here.
 * orphan: a directory that the mirror does not know, which may contain work. missing: no directory.
 */
export type WorktreeState = "ready" | "unfinished" | "interrupted" | "orphan" | "missing";

export async function worktreeState(host: GitHost, ref: WorktreeRef): Promise<WorktreeState> {
  const place = worktreePathsOf(host.dataDir, ref);
  if (!(await isDirectory(place.directory))) return "missing";
  if (!(await isDirectory(place.entry))) return "orphan";
  // We lock the entry while we create the worktree, as git does, see rebuild.ts.
  const lock = join(place.entry, "locked");
  if ((await lstat(lock).catch(() => null)) === null) return "ready";
  return (await readFile(lock, "utf8").catch(() => "")) === REWRITTEN ? "interrupted" : "unfinished";
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

/**
 * Returns whether no commit would be lost with this machine: a branch of the server contains it, or it adds nothing to
 * the base.
 */
export async function isSafe(host: GitHost, ref: WorktreeRef, head: string): Promise<boolean> {
  const { baseRef } = worktreePathsOf(host.dataDir, ref);
  return isWithin(host, ref.repository, head, ["refs/remotes/origin", baseRef]);
}
