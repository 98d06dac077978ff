import type { GitHub, GitHubPullRequest } from "../core/ports/github.ts";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import { isCoder } from "../core/role.ts";
import type { Settings } from "../core/settings.ts";
import { branchIssue, printBranch } from "../core/text/branch-name.ts";
import { closesIssue } from "./closing-words.ts";

type Pulls = Pick<GitHub, "pullRequests">;

/**
 * The lowest number of a person's open pull request for the issue: its text closes the issue, or its branch is named
 * as ours would be. Null when there is none. Throws `GitHubError`.
 */
export async function personPull(
  { github, settings, botId }: { github: Pulls; settings: Pick<Settings, "branches">; botId: number },
  repository: RepositoryRef,
  issue: number,
): Promise<number | null> {
  const open = await github.pullRequests(repository, {});
  const theirs = open.filter(
    (pull) =>
      pull.author.id !== botId &&
      (closesIssue(pull.body, repository, issue) || branchIssue(settings.branches, pull.headRef) === issue),
  );
  return theirs.length === 0 ? null : Math.min(...theirs.map(({ number }) => number));
}

/**
 * The newest merged pull request from a branch of ours for the issue, null when there is none; `commit` is its head.
 * Looks at the branch of every coder, and at that of a later attempt while the one before had a pull request.
 * Throws `GitHubError`.
 */
export async function mergedPull(
  { github, settings }: { github: Pulls; settings: Pick<Settings, "branches" | "roles"> },
  repository: RepositoryRef,
  issue: number,
): Promise<{ number: number; commit: string } | null> {
  const coders = [...settings.roles.values()].filter(isCoder);
  const pulls = await Promise.all(coders.map((role) => pullsOfRole(role.name)));
  const [newest] = pulls
    .flat()
    .filter((pull) => pull.merged)
    .toSorted((left, right) => right.number - left.number);
  return newest === undefined ? null : { number: newest.number, commit: newest.headSha };

  async function pullsOfRole(role: string, attempt = 1): Promise<readonly GitHubPullRequest[]> {
    const head = printBranch(settings.branches, { role, number: issue, attempt });
    const found = (await github.pullRequests(repository, { head })).filter(
      (pull) => pull.headRepository?.toLowerCase() === fullName(repository).toLowerCase(),
    );
    return found.length === 0 ? [] : [...found, ...(await pullsOfRole(role, attempt + 1))];
  }
}
