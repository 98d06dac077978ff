import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { ServerSigning, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { FOREIGN_ADVICE } from "../process/classify-git-error.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { noBranch } from "../worktree/commit.ts";
import { commitAt, setRef } from "./commits.ts";
import { PUSH, remoteGit } from "./mirror.ts";
import { signOnServer } from "./sign-on-server.ts";

/**
 * Pushes the agent's branch and returns the commit that the server now has. Never forces the push: if the server's
 * branch has commits that ours lacks, throws `foreign_commits`. With `signing` the server makes the commits; the worktree
 * then stands on those, with the files that it has.
 */
export async function pushBranch(
  host: GitHost,
  ref: WorktreeRef,
  { signing }: { readonly signing?: ServerSigning | undefined } = {},
): Promise<{ commit: string }> {
  const { branchRef, remoteBranchRef, pushedRef } = worktreePathsOf(host.dataDir, ref);
  if (ref.branch === null || branchRef === null || remoteBranchRef === null) throw noBranch(ref, "push");
  const commit = await commitAt(host, ref.repository, branchRef);
  if (commit === null) {
    throw new GitError("missing_branch", `the mirror has no branch ${ref.branch}`, {
      consequence: "retry",
      advice: "The worktree is prepared again before the next try.",
    });
  }
  const head = await sent(host, ref.repository, { branch: ref.branch, commit, signing });
  host.crashPoint("git:pushed");
  if (head !== commit) await setRef(host, ref.repository, branchRef, head, commit);
  await setRef(host, ref.repository, remoteBranchRef, head);
  await setRef(host, ref.repository, pushedRef, head);
  return { commit: head };
}

/** Brings the commit to the branch on the server. Returns the commit that the branch then has. */
async function sent(
  host: GitHost,
  repository: RepositoryRef,
  {
    branch,
    commit,
    signing,
  }: { readonly branch: string; readonly commit: string; readonly signing: ServerSigning | undefined },
): Promise<string> {
  if (signing !== undefined) {
    const signed = await signOnServer(host, repository, { branch, commit, signing });
    if (signed.kind !== "signed") throw foreignCommits(branch);
    return signed.commit;
  }
  await remoteGit(host, repository, {
    args: [...PUSH, `${commit}:refs/heads/${branch}`],
    purpose: `push ${branch}`,
  });
  return commit;
}

/** Builds the error that git's own refusal becomes. */
function foreignCommits(branch: string): GitError {
  return new GitError("foreign_commits", `could not push ${branch}: it has other commits on the server`, {
    consequence: "tell",
    advice: FOREIGN_ADVICE,
  });
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
