import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertSafeBranch } from "../process/safe-names.ts";
import { commitAt } from "./commits.ts";
import { fetchBranches, openMirror } from "./mirror.ts";

/** Fetches, and returns the head of the base branch. */
export async function fetchedTip(host: GitHost, repository: RepositoryRef, base: string): Promise<string> {
  assertSafeBranch(base);
  await openMirror(host, repository);
  await fetchBranches(host, repository);
  const tip = await commitAt(host, repository, `refs/remotes/origin/${base}`);
  if (tip !== null) return tip;
  throw new GitError("base_not_found", `there is no branch ${base} on the server`, {
    consequence: "tell",
    advice: "Bring the base branch back, or change the repository's default branch.",
  });
}
