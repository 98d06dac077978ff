import { GitError } from "../../../domain/kernel/errors.ts";
import type { BranchFacts, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { commitAt, isAncestor } from "../mirror/commits.ts";
import { fetchBranches, mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";

/**
 * Returns what the server currently has of the agent's branch, and what the commit changes relative to where it left
 * the base branch.
 */
export async function inspectBranch(
  host: GitHost,
  ref: WorktreeRef,
  { commit, base }: { readonly commit: string; readonly base: string },
): Promise<BranchFacts> {
  assertCommit(commit);
  assertSafeBranch(base);
  await fetchBranches(host, ref.repository);
  const { remoteBranchRef } = worktreePathsOf(host.dataDir, ref);
  const server = remoteBranchRef === null ? null : await commitAt(host, ref.repository, remoteBranchRef);
  const tip = await baseTipOf(host, ref, base);
  return {
    server,
    serverBehind:
      server !== null && server !== commit && (await isAncestor(host, ref.repository, server, commit)),
    files: await changedSince(host, ref, { tip, commit }),
  };
}

/** Compares in the mirror, without a work tree, so that no attribute of the agent's files has an effect. */
export async function changedSince(
  host: GitHost,
  ref: Pick<WorktreeRef, "repository">,
  { tip, commit }: { readonly tip: string; readonly commit: string },
): Promise<readonly string[]> {
  const from = await forkOf(host, ref, { tip, commit });
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["diff-tree", "-r", "--no-renames", "--name-only", "-z", from, commit],
    purpose: "compare the claimed commit with its base",
  });
  return stdout.split("\0").filter((name) => name !== "");
}

/** Returns where the commit left the base branch; the base's tip where they have no common history. */
export async function forkOf(
  host: GitHost,
  ref: Pick<WorktreeRef, "repository">,
  { tip, commit }: { readonly tip: string; readonly commit: string },
): Promise<string> {
  const found = await mirrorGit(host, ref.repository, {
    args: ["merge-base", commit, tip],
    purpose: "find where the work left the base branch",
    answers: [1],
  });
  return found.code === 0 ? found.stdout.trim() : tip;
}

/** Returns the head of the base branch as last fetched. Throws code `base_not_found`. */
export async function baseTipOf(
  host: GitHost,
  { repository }: Pick<WorktreeRef, "repository">,
  base: string,
): Promise<string> {
  const tip = await commitAt(host, repository, `refs/remotes/origin/${base}`);
  if (tip !== null) return tip;
  throw new GitError("base_not_found", `there is no branch ${base} on the server`, {
    consequence: "tell",
    advice: "Bring the base branch back, or change the repository's default branch.",
  });
}
