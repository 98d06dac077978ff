import { reaches } from "../../domain/access/permission.ts";
import { checksFailure } from "../../domain/checks/check-failure.ts";
import type { Account } from "../../domain/events/account.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { IssueBeforeMerge } from "../../domain/merge-queue/issue-against.ts";
import type { MergeQueueFacts } from "../../domain/merge-queue/next-step.ts";
import {
  approvalsOf,
  approversAmong,
  appsAgainst,
  dismissedAmong,
  type ReviewsAgainst,
  requestersOf,
} from "../../domain/merge-queue/pull-approvals.ts";
import { isAbove } from "../../domain/merge-queue/risk.ts";
import type { GitHubReview } from "../../domain/ports/github.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { isBackfilled, readIssueOrGone } from "../backfill/seen-issue.ts";
import { refreshCommit, requiredNames } from "../checks/refresh-commit.ts";
import { underReviewSince } from "../checks/under-review-since.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { levelOn } from "../outbox/level-guard.ts";
import { holdsOnIssue } from "../status/holds-around.ts";
import type { MergeQueueEntry } from "./entries.ts";
import { queueFacts } from "./github-queue.ts";
import { refusedNow } from "./refused.ts";
import { riskNow } from "./risk-now.ts";

/** Returns whether Flotilla merges the issue's work; below the level `merge` people do. */
export async function mergesIssue(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<boolean> {
  return (
    context.settingsOf(repository.id).merge.auto && (await levelOn(context, repository, issue)) === "merge"
  );
}

/**
 * Reads the facts about the entry whose turn it is; null where it has no pull request. `merges` = Flotilla merges here
 * unless the risk of the work is above the limit.
 */
export async function mergeQueueFacts(
  context: EngineContext,
  repository: RepositoryRow,
  { entry, merges }: { readonly entry: MergeQueueEntry; readonly merges: boolean },
): Promise<MergeQueueFacts | null> {
  const { github, identity, store } = context;
  const { task, coder, comparison } = entry;
  const base = baseBranch(task, repository);
  if (coder.prNumber === null || task.reviewCommit === null) return null;
  const pull = await github.mergeablePull(repository, coder.prNumber);
  const demands = await github.mergeDemands(repository, base);
  const required = await requiredNames(context, repository, base);
  const since = await underReviewSince(store, task);
  const commit = comparison.head ?? task.reviewCommit;
  const { verdict: checks, red } = await refreshCommit(context, repository, { commit, base, since });
  const own = checks.kind === "own_failure" ? checks.checks : [];
  const failed = red.filter(({ name }) => own.includes(name));
  // Webhooks of reviews may be late or lost.
  const reviews = await github.reviews(repository, pull.number);
  const queue = demands.queue
    ? await queueFacts(context, repository, { pull: pull.number, since })
    : undefined;
  const risk = merges ? await riskNow(context, repository, { entry, reviews }) : null;
  return {
    reviewCommit: task.reviewCommit,
    pull,
    comparison,
    base,
    demands,
    approvals: approvalsOf(reviews, identity.botId),
    ...(await reviewsAgainst(context, repository, { reviews, task, merges })),
    required: required.length,
    checks,
    failure: checksFailure(
      failed.map(({ name: check, ...rest }) => ({ check, ...rest })),
      1,
    ),
    coderAtWork: coder.state === "ACTIVE",
    refusal: await refusedNow(context, entry),
    ...(merges ? { issue: await issueNow(context, repository, task.issue) } : {}),
    merges: merges && (risk === null || !isAbove(risk)),
    ...(risk === null ? {} : { risk }),
    ...(queue === undefined ? {} : { queue }),
    // Read last, because somebody may pause the issue while GitHub is read.
    holds: await holdsOnIssue(context, task),
  };
}

/**
 * Reads the reviews on GitHub that object to merging the commit under review; their webhooks may be late or
 * lost.
 */
async function reviewsAgainst(
  context: EngineContext,
  repository: RepositoryRow,
  {
    reviews,
    task,
    merges,
  }: { readonly reviews: readonly GitHubReview[]; readonly task: TaskRecord; readonly merges: boolean },
): Promise<ReviewsAgainst> {
  return {
    requesters: await writersAmong(context, repository, requestersOf(reviews, task)),
    withoutAccess: merges
      ? await withoutAccess(context, repository, approversAmong(reviews, task.verdicts))
      : [],
    takenBack: dismissedAmong(reviews, task.verdicts).map(({ author }) => author.login),
    apps: appsAgainst(reviews, task, context.identity.botId),
  };
}

/**
 * Returns the logins of those who have permission to command. A permission that cannot be read is an error,
 * so that nothing is merged without it.
 */
async function writersAmong(
  { github, settings }: EngineContext,
  repository: RepositoryRow,
  people: readonly Account[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const person of people)
    if (reaches(await github.permission(repository, person), settings.policy.whoMayCommand))
      found.push(person.login);
  return found;
}

/**
 * Returns the logins of those who lost permission. Bypasses the cache, because no webhook reports such a
 * change.
 */
async function withoutAccess(
  { github, settings }: EngineContext,
  repository: RepositoryRow,
  people: ReturnType<typeof approversAmong>,
): Promise<readonly string[]> {
  const { bots, whoMayCommand } = settings.policy;
  const found: string[] = [];
  for (const person of people) {
    // GitHub shows no permission of a bot; `policy.bots` is its permission.
    if (person.id !== null && bots.includes(person.id)) continue;
    const permission = await github.permission(repository, { ...person, fresh: true });
    if (!reaches(permission, whoMayCommand)) found.push(person.login);
  }
  return found;
}

/** Reads the issue, because the webhook of a lock, a close or an assignment may be late or lost. */
async function issueNow(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<IssueBeforeMerge> {
  const seen = await readIssueOrGone(context, repository, issue);
  return isBackfilled(seen) ? null : seen;
}
