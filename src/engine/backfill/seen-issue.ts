import {
  type BackfilledDelivery,
  rawGone,
  rawIssue,
  SOMEBODY,
} from "../../domain/backfill/backfilled-delivery.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Matches GitHub's answer when issues are disabled in the whole repository: nothing happened to this one
 * issue.
 */
const SWITCHED_OFF = /disabled/i;

/**
 * Returns the issue as it is now, or the event that it was moved or deleted. Throws `GitHubError` when
 * neither is certain.
 */
export async function readIssueOrGone(
  context: EngineContext,
  repository: RepositoryRow,
  number: number,
): Promise<GitHubIssue | BackfilledDelivery> {
  const { github } = context;
  try {
    const issue = await github.issue(repository, number);
    const to = await movedTo(context, repository, number, issue);
    return to === null ? issue : moved(number, issue, to);
  } catch (error) {
    if (!(error instanceof GitHubError) || error.code !== "not_found" || SWITCHED_OFF.test(error.message))
      throw error;
    // Throws when the repository is no longer accessible: then the issue may still exist.
    await github.repository(repository);
    return gone(number, repository.id);
  }
}

export function isBackfilled(seen: GitHubIssue | BackfilledDelivery): seen is BackfilledDelivery {
  return "action" in seen;
}

const gone = (number: number, repositoryId: number): BackfilledDelivery => ({
  name: `gone-${repositoryId}-${number}`,
  event: "issues",
  action: "deleted",
  number,
  sender: SOMEBODY,
  fields: { issue: rawGone(number) },
});

const moved = (
  number: number,
  issue: GitHubIssue,
  to: { readonly repository: string; readonly number: number },
): BackfilledDelivery => ({
  name: `moved-${issue.id}`,
  event: "issues",
  action: "transferred",
  number,
  sender: SOMEBODY,
  fields: {
    issue: { ...rawIssue(issue), number },
    changes: { new_issue: { number: to.number }, new_repository: { full_name: to.repository } },
  },
});

/**
 * Returns where an issue was transferred to, or null. GitHub answers for a transferred issue with the new
 * one, and for an issue of a renamed repository with the issue itself.
 */
export async function movedTo(
  { github }: Pick<EngineContext, "github">,
  repository: RepositoryRef,
  number: number,
  issue: GitHubIssue,
): Promise<{ readonly repository: string; readonly number: number } | null> {
  const [owner, name] = new URL(issue.url).pathname.split("/").slice(-4);
  const there = `${owner}/${name}`;
  const isHere = (home: string) => home.toLowerCase() === there.toLowerCase();
  if (issue.number === number && isHere(fullName(repository))) return null;
  const { fullName: now } = await github.repository(repository);
  if (issue.number === number && isHere(now)) return null;
  return { repository: there, number: issue.number };
}
