import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { restoreMirror } from "../mirror/mirror.ts";
import { clearEntryLocks } from "../mirror/stale-locks.ts";
import { ensureExactFile } from "../worktree/exact-file.ts";
import type { GitHost } from "./git-host.ts";
import { type GitAnswer, type GitCall, runGit } from "./run-git.ts";
import { worktreePathsOf } from "./worktree-paths.ts";

/** Runs a local command on git's data of one worktree, without its files. */
export async function treeGit(
  host: GitHost,
  ref: WorktreeRef,
  call: Omit<GitCall, "network">,
): Promise<GitAnswer> {
  const place = worktreePathsOf(host.dataDir, ref);
  return withEntry(host, ref, () =>
    runGit(host, {
      ...call,
      args: [`--git-dir=${place.entry}`, ...call.args],
      env: { ...call.env, GIT_COMMON_DIR: place.mirror },
    }),
  );
}

/**
 * Runs `work` on git's data of one worktree in its original state: first restores HEAD to the agent's own branch,
 * because our commits go there regardless of what was checked out. Removes, once, a lock that nothing can still hold.
 */
export async function withEntry(
  host: GitHost,
  ref: WorktreeRef,
  work: () => Promise<GitAnswer>,
): Promise<GitAnswer> {
  const place = worktreePathsOf(host.dataDir, ref);
  const run = async () => {
    await restoreMirror(place.mirror);
    await rm(join(place.entry, "config.worktree"), { recursive: true, force: true });
    // git reads refs from the directory that this file names, regardless of GIT_COMMON_DIR.
    await ensureExactFile(join(place.entry, "commondir"), "../..\n", 0o644);
    if (place.branchRef !== null) {
      const moved = await ensureExactFile(join(place.entry, "HEAD"), `ref: ${place.branchRef}\n`, 0o644);
      if (moved) host.log.warn({ worktree: ref.name }, "HEAD restored to the agent's branch");
    }
    return work();
  };
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof GitError && error.code === "locked")) throw error;
    await clearEntryLocks(host, place, false);
    return await run();
  }
}
