import { reaches } from "../domain/access/permission.ts";
import { isCoder } from "../domain/agents/role.ts";
import type { Account } from "../domain/events/account.ts";
import type { PullsOfPeople } from "../domain/events/domain-event.ts";
import { fullName, type RepositoryRef } from "../domain/kernel/repository.ts";
import type { GitHub } from "../domain/ports/github.ts";
import type { GitHubPullRequest } from "../domain/ports/github-changes.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { branchIssue, printBranch } from "../domain/tasks/branch-name.ts";
import type { WhoMayAsk } from "./who-may-ask.ts";

type Pulls = Pick<GitHub, "pullRequests">;

interface PullTools {
  readonly github: Pulls & Pick<GitHub, "permission">;
  readonly settings: Pick<Settings, "branches">;
  readonly identity: { readonly botId: number };
}

/** Authors whose permission is read for one issue. */
const MOST_ASKED = 10;
/** Pull requests that a hint names. */
const MOST_NAMED = 5;

/** Used where nothing can start. */
export const NO_PULLS: PullsOfPeople = { personPull: null, strangersPulls: [] };

/**
 * Returns the open pull requests for the issue that are not ours: their text closes it, or their branch is
 * named like ours. One counts when its author is assigned, may command, or may push and uses a branch of the
 * repository itself; anybody can open the others. Throws `GitHubError`.
 */
export async function pullsOfPeople(
  { github, settings, identity }: PullTools,
  mayAsk: WhoMayAsk,
  repository: RepositoryRef,
  { number: issue, assignees }: { readonly number: number; readonly assignees: readonly Account[] },
): Promise<PullsOfPeople> {
  const open = await github.pullRequests(repository, {});
  const theirs = open.filter(
    (pull) =>
      pull.author.id !== identity.botId &&
      (closesIssue(pull.body, repository, issue) || branchIssue(settings.branches, pull.headRef) === issue),
  );
  const isAssigned = ({ author }: GitHubPullRequest): boolean =>
    assignees.some((assignee) => assignee.id === author.id);
  const isWithin = ({ headRepository }: GitHubPullRequest): boolean =>
    headRepository?.toLowerCase() === fullName(repository).toLowerCase();
  const commands = new Map<number, boolean>();
  const strangers: number[] = [];
  // Sorts those that cannot be a stranger's first, so that many forks do not use up the lookups.
  const rank = (pull: GitHubPullRequest): number => (isAssigned(pull) ? 0 : isWithin(pull) ? 1 : 2);
  for (const pull of theirs.toSorted((one, two) => rank(one) - rank(two) || one.number - two.number)) {
    const { author, number } = pull;
    if (isAssigned(pull)) return { personPull: number, strangersPulls: [] };
    if (!commands.has(author.id) && commands.size < MOST_ASKED)
      commands.set(author.id, await mayAsk(repository, author));
    const may = commands.get(author.id);
    if (may === true || (may === false && isWithin(pull) && (await mayPush(author))))
      return { personPull: number, strangersPulls: [] };
    strangers.push(number);
  }
  return { personPull: null, strangersPulls: strangers.slice(0, MOST_NAMED) };

  async function mayPush(author: Account): Promise<boolean> {
    return author.type === "User" && reaches(await github.permission(repository, author), "write");
  }
}

/**
 * Returns the newest merged pull request from a branch of ours for the issue; null when there is none.
 * `commit` is its head. Reads each coder's branch, and that of a later attempt while the previous one had a
 * pull request. Throws `GitHubError`.
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

const WORDS = "(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)";

/**
 * Returns whether a pull request's text closes the issue by GitHub's keywords: `fixes #7`, `Closes:
 * owner/name#7`, or the issue's URL. Ignores hidden comments, such as those of a template.
 */
export function closesIssue(
  text: string,
  repository: Pick<RepositoryRef, "owner" | "name">,
  issue: number,
): boolean {
  const name = fullName(repository).replaceAll(".", "\\.");
  const target = `(?:(?:${name})?#|https?://[^\\s/]+/${name}/issues/)${issue}(?![\\w])`;
  const visible = text.replaceAll(/<!--.*?(?:-->|$)/gs, " ");
  return new RegExp(`(?<![\\w-])${WORDS}:?\\s+${target}`, "i").test(visible);
}
