import type { TrialGit } from "../../adapters/git/trial/create-trial-git.ts";
import { isFile } from "../../adapters/git/trial/laid-over.ts";
import { GONE } from "../../adapters/git/worktree/tree-entries.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import type { ClosedIssues } from "../../domain/ports/closed-issues.ts";
import { caseOf, type FixHistory, type MergedPull, pullOf } from "../../domain/trial/choose-case.ts";
import type { Candidate } from "../../domain/trial/trial-case.ts";

/** Characters of a patch by which it is looked whether an issue's text has the solution. */
const READ_OF_PATCH = 400_000;

/**
 * Yields each closed issue of the repository, the newest first: as a case whose tests are still to be checked, or with why it is
 * none. Reads on only as far as it is used. Throws `GitHubError` and `GitError`.
 */
export async function* findCases(
  { git, github }: { readonly git: TrialGit; readonly github: ClosedIssues },
  repository: RepositoryRef,
): AsyncGenerator<Candidate> {
  for await (const issue of github.closedIssues(repository)) {
    const pull = pullOf(issue);
    yield "kind" in pull ? pull : caseOf(issue, pull, await historyOf(git, pull));
  }
}

async function historyOf(git: TrialGit, pull: MergedPull): Promise<FixHistory | null> {
  const { number, head, merge } = pull;
  const found = await git.pullHistory({ pull: number, head, merge });
  if (found === null) return null;
  const { base, commits } = found;
  const entries = await git.difference({ from: base, to: head });
  return {
    base,
    commits,
    paths: entries.filter(({ mode }) => isFile(mode) || mode === GONE).map(({ path }) => path),
    before: await git.paths(base),
    patch: await git.patch({ from: base, to: head, limit: READ_OF_PATCH }),
  };
}
