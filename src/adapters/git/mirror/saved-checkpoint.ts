import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { commitAt, setRef } from "./commits.ts";
import { fetchCommit } from "./mirror.ts";

/**
 * Makes the first of these commits that the server still has the checkpoint. Anybody who may push can move the
 * server's ref, so what that names is not asked for.
 */
export async function fetchCheckpoint(
  host: GitHost,
  ref: WorktreeRef,
  saved: readonly string[],
): Promise<void> {
  const { repository } = ref;
  for (const commit of saved) {
    assertCommit(commit);
    if (!(await isHere(host, repository, commit))) continue;
    await setRef(host, repository, worktreePathsOf(host.dataDir, ref).checkpointRef, commit);
    return;
  }
}

async function isHere(host: GitHost, repository: RepositoryRef, commit: string): Promise<boolean> {
  if ((await commitAt(host, repository, commit)) !== null) return true;
  try {
    await fetchCommit(host, repository, commit);
  } catch (error) {
    // Without an answer nothing is known: the work would be given up.
    if (!(error instanceof GitError && NOT_THERE.test(error.message))) throw error;
    host.log.info({ commit, error: error.message }, "checkpoint not on the server");
  }
  return (await commitAt(host, repository, commit)) !== null;
}

/** Answers of servers that lack the commit, or that give out only what a ref names. */
const NOT_THERE = /not our ref|unadvertised object|couldn't find remote ref/i;
