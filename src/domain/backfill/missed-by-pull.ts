import { isLive, isOnPull } from "../agents/agent-record.ts";
import { wasRefused } from "../commands/refused.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import type { GitHubEvent, GitHubReview } from "../ports/github.ts";
import type { GitHubPullRequest } from "../ports/github-changes.ts";
import { isSameReviewer, personAs } from "../review/reviewer.ts";
import { RELEASED } from "../tasks/on-pull.ts";
import { isOfWork, isOpenTask } from "../tasks/task-record.ts";
import { type BackfilledDelivery, rawPull } from "./backfilled-delivery.ts";
import { earliest, isSince, type Known } from "./missed-by-issue.ts";

const VERDICTS = ["approved", "changes_requested", "commented"];

/** A pull request of an agent's as GitHub shows it now. */
export interface SeenPull {
  readonly repository: RepositoryRow;
  readonly pull: GitHubPullRequest;
}

const ownersOf = ({ pull }: SeenPull, { agents }: Known) =>
  agents.filter((agent) => (isOnPull(agent) ? agent.issue === pull.number : agent.branch === pull.headRef));

/**
 * Returns true when agents may not have reacted to the end of the pull request or to its being a draft: then its events
 * are read.
 */
export function mayHaveMissedPull(seen: SeenPull, known: Known): boolean {
  return endOf(seen, known) !== null || draftOf(seen, known) !== null;
}

/** Returns the webhooks of an end or a conversion to draft that agents have not reacted to; `events` oldest first. */
export function missedByPull(
  seen: SeenPull,
  events: readonly GitHubEvent[],
  known: Known,
): readonly BackfilledDelivery[] {
  const { pull } = seen;
  const end = endOf(seen, known);
  const ended = events.findLast(({ event }) => event === (pull.merged ? "merged" : "closed"));
  if (end !== null && ended !== undefined && isSince(ended, end))
    return [told(seen, "closed", ended, pull.merged ? ended.commit : null)];
  const draft = draftOf(seen, known);
  const drafted = events.findLast(({ event }) => ["convert_to_draft", "ready_for_review"].includes(event));
  if (draft === null || drafted?.event !== "convert_to_draft" || !isSince(drafted, draft)) return [];
  const isKnownDraft = known.decisions.some(
    ({ rule, lastAt }) => rule === "pull_draft" && lastAt >= Date.parse(drafted.createdAt),
  );
  return isKnownDraft ? [] : [told(seen, "converted_to_draft", drafted, null)];
}

/**
 * Returns the time since which the pull request's agent waits for a review: it sleeps for one, or it has ended with its
 * work up for review. Null when it does not wait.
 */
export function waitsForReview({ pull }: SeenPull, { agents, task }: Known): number | null {
  const owner = agents.findLast(({ branch }) => branch === pull.headRef);
  if (owner?.state === "SLEEPING" && owner.sleepReason === "review") return owner.sleepingSince;
  return owner?.state === "COMPLETED" && task?.state === "READY_FOR_REVIEW" ? owner.endedAt : null;
}

/** Returns true when the pull request's reviews must be read: an agent waits for one, or one may count as a verdict. */
export function mayHaveMissedReview(seen: SeenPull, known: Known): boolean {
  return waitsForReview(seen, known) !== null || isUpForReview(seen, known) || isApproved(seen, known);
}

const isUpForReview = (seen: SeenPull, known: Known) =>
  known.task?.state === "READY_FOR_REVIEW" && ownersOf(seen, known).length > 0;

const isApproved = (seen: SeenPull, known: Known) =>
  known.task?.state === "APPROVED" && ownersOf(seen, known).length > 0;

/**
 * Returns the webhooks of reviews that were submitted while the agent waits for one, and of verdicts on the commit
 * under review, which may be older than the agent's request. Each review wakes the agent at most once.
 */
export function missedReviews(
  seen: SeenPull,
  reviews: readonly GitHubReview[],
  known: Known,
): readonly BackfilledDelivery[] {
  const since = waitsForReview(seen, known);
  const said = reviews.filter(
    ({ verdict, submittedAt, author }) =>
      VERDICTS.includes(verdict) && author.id !== known.botId && !wasRefused(author, submittedAt, known),
  );
  return said.flatMap((review) => {
    if (isMet(review, known) || isHeld(review, said, known)) return [];
    if ((isUpForReview(seen, known) || isApproved(seen, known)) && rejectsNow(review, said, known))
      return [toldReview(seen, review, `rejection-${review.id}`)];
    // With its own id: the review may have been reported before its commit was the one under review.
    if (isUpForReview(seen, known) && approvesNow(review, said, known))
      return [toldReview(seen, review, `approval-${review.id}`)];
    const isNew = since !== null && isSince({ createdAt: review.submittedAt }, since);
    return isNew ? [toldReview(seen, review, `review-${review.id}`)] : [];
  });
}

/**
 * Returns true when the review is recorded as a verdict on the commit under review, even one that no longer counts, or
 * when its author's approval counts for any commit: approvals stay with the work when Flotilla updates its branch.
 */
function isMet({ verdict, author, commit, submittedAt }: GitHubReview, { task, given }: Known): boolean {
  if (verdict === "approved" && task?.verdicts.some((one) => isSameReviewer(one, personAs(author))))
    return true;
  if (verdict === "commented" || task === null || !isOfWork(task, commit)) return false;
  return given.some(
    (one) =>
      isSameReviewer(one, personAs(author)) &&
      (verdict === "approved" || !one.approves) &&
      one.createdAt >= Date.parse(submittedAt),
  );
}

/** Returns true for a review that is its author's last verdict. */
const isLast = ({ id, author }: GitHubReview, said: readonly GitHubReview[]) =>
  said.findLast((one) => one.author.id === author.id && one.verdict !== "commented")?.id === id;

/** Leaves out bots: a rejection by an ignored bot would block every approval. */
const rejectsNow = (review: GitHubReview, said: readonly GitHubReview[], known: Known) =>
  review.verdict === "changes_requested" &&
  review.author.type !== "Bot" &&
  known.task !== null &&
  isOfWork(known.task, review.commit) &&
  isLast(review, said);

/** Returns true for an approval of a commit that somebody else rejects: no account's verdict overrides another's. */
const isHeld = ({ verdict, commit }: GitHubReview, said: readonly GitHubReview[], known: Known) =>
  verdict === "approved" &&
  commit === known.task?.reviewCommit &&
  said.some((one) => rejectsNow(one, said, known));

/** Returns true when the review approves the commit under review, and nobody has rejected that commit since. */
function approvesNow(review: GitHubReview, said: readonly GitHubReview[], known: Known): boolean {
  const { verdict, submittedAt, commit } = review;
  const { given, task } = known;
  if (verdict !== "approved" || commit === null || commit !== task?.reviewCommit) return false;
  if (!isLast(review, said)) return false;
  return !given.some(({ approves, createdAt }) => !approves && createdAt >= Date.parse(submittedAt));
}

function toldReview({ repository, pull }: SeenPull, review: GitHubReview, name: string): BackfilledDelivery {
  const { id, verdict, commit, body, url, author } = review;
  return {
    name,
    event: "pull_request_review",
    action: "submitted",
    number: pull.number,
    sender: author,
    fields: {
      pull_request: rawPull(pull, repository, null),
      review: { id, state: verdict, commit_id: commit, body, html_url: url },
    },
  };
}

/** Returns the time since which no agent has reacted to the closed pull request; null when it is open or all have. */
function endOf(seen: SeenPull, known: Known): number | null {
  if (seen.pull.state === "open") return null;
  const owners = ownersOf(seen, known);
  const { task } = known;
  const holds = seen.pull.merged
    ? task !== null && isOpenTask(task)
    : task !== null && RELEASED.includes(task.state);
  return earliest([
    ...owners.filter(isLive).map(({ createdAt }) => createdAt),
    ...(task !== null && holds && owners.length > 0 ? [task.createdAt] : []),
  ]);
}

function draftOf(seen: SeenPull, known: Known): number | null {
  if (!seen.pull.draft || seen.pull.state === "closed") return null;
  return earliest(
    ownersOf(seen, known)
      .filter((agent) => isLive(agent) && !isOnPull(agent))
      .map(({ createdAt }) => createdAt),
  );
}

function told(
  { repository, pull }: SeenPull,
  action: string,
  { id, actor }: GitHubEvent,
  mergeCommit: string | null,
): BackfilledDelivery {
  return {
    name: `event-${id}`,
    event: "pull_request",
    action,
    number: pull.number,
    sender: actor,
    fields: { pull_request: rawPull(pull, repository, mergeCommit) },
  };
}
