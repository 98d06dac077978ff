import type { Account, PullRequest, QueueEntry, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { emitIssue } from "./emit.ts";

/** Why a pull request leaves the queue: GitHub's word in the webhook, and in GraphQL. */
const REASONS = {
  merged: { webhook: "MERGE", word: "merged" },
  checks: { webhook: "CI_FAILURE", word: "failed_checks" },
  conflict: { webhook: "MERGE_CONFLICT", word: "merge_conflict" },
  manual: { webhook: "MANUAL", word: "manual" },
  other: { webhook: "UNKNOWN_REMOVAL_REASON", word: "" },
} as const;

/** Returns the pull request's entry in the queue of the default branch. */
export function queueEntryOf(repository: Repository, issue: PullRequest): QueueEntry | undefined {
  return repository.queue.find(({ number }) => number === issue.number);
}

/** Takes a pull request out; nothing where it is not in. */
export function dequeuePull(
  world: World,
  repository: Repository,
  sender: Account,
  issue: PullRequest,
  why: keyof typeof REASONS,
): void {
  const entry = queueEntryOf(repository, issue);
  if (entry === undefined) return;
  repository.queue.splice(repository.queue.indexOf(entry), 1);
  const { webhook, word } = REASONS[why];
  issue.pull.leftQueue = { at: now(world), reason: word, actor: sender, commit: entry.commit };
  emitIssue(world, repository, issue, sender, "dequeued", { reason: webhook });
}
