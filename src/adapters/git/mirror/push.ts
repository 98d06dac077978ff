import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { noBranch } from "../worktree/commit.ts";
import { commitAt, setRef } from "./commits.ts";
import { remoteGit } from "./mirror.ts";

export const PUSH = ["push", "--no-verify", "--no-recurse-submodules", "--progress", "URL"];

/**
 * Pushes the agent's branch and returns the commit that the server now has. Never forces the push: if the server's
 * branch has commits that ours lacks, throws `foreign_commits`.
 */
export async function pushBranch(host: GitHost, ref: WorktreeRef): Promise<{ commit: string }> {
  const { branchRef, remoteBranchRef, pushedRef } = worktreePathsOf(host.dataDir, ref);
  if (branchRef === null || remoteBranchRef === null) throw noBranch(ref, "push");
  const commit = await commitAt(host, ref.repository, branchRef);
  if (commit === null) {
    throw new GitError("missing_branch", `the mirror has no branch ${ref.branch}`, {
      consequence: "retry",
      advice: "The worktree is prepared again before the next try.",
    });
  }
  await remoteGit(host, ref.repository, {
    args: [...PUSH, `${commit}:${branchRef}`],
    purpose: `push ${ref.branch}`,
  });
  host.crashPoint("git:pushed");
  await setRef(host, ref.repository, remoteBranchRef, commit);
  await setRef(host, ref.repository, pushedRef, commit);
  return { commit };
}

/** Pushes a checkpoint to the server, replacing the previous one: nobody else uses this ref. Null deletes it there. */
export async function pushCheckpoint(host: GitHost, ref: WorktreeRef, commit: string | null): Promise<void> {
  const { checkpointRef } = worktreePathsOf(host.dataDir, ref);
  if (commit !== null) assertCommit(commit);
  await remoteGit(host, ref.repository, {
    args: [...PUSH, commit === null ? `:${checkpointRef}` : `+${commit}:${checkpointRef}`],
    purpose: `push ${checkpointRef}`,
  });
}
