import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { fullName } from "../kernel/repository.ts";
import { isSeen } from "../messages/visible-text.ts";
import { askedBy } from "../review/on-persons-pull.ts";
import { reviewPull } from "../review/review-pull.ts";
import { fixPull } from "../tasks/fix-pull.ts";
import type { Verb } from "./command.ts";
import { messageFor } from "./message-for.ts";

type Commented = DomainEventOf<"commented">;

/** Commands that begin, repeat or finish the work on an issue. */
const OF_ISSUES: readonly Verb[] = ["start", "retry", "backport", "checkpoint", "abort"];

/** Commands of a pull request that need no agent there. */
const ALWAYS: readonly Verb[] = ["status", "why", "review", "fix"];

/** Refuses a command for issues, or for agents that are not there, on a person's pull request; null where it fits. */
export function refusedOnPull(event: Commented, verb: Verb, { agents }: IssueState): ChangeSet | null {
  if (event.theirs === undefined || ALWAYS.includes(verb)) return null;
  if (!OF_ISSUES.includes(verb))
    return agents.length > 0
      ? null
      : decisionOnly("nobody_concerned", "no agent works on this pull request", {
          change: "say `/flotilla review` to have it reviewed, `/flotilla fix` to have it mended",
        });
  return decisionOnly(
    "other_place",
    `it is for issues, and #${event.issue.number} is a person's pull request`,
    {
      change: "say `/flotilla review` or `/flotilla fix` here, or say it on an issue",
    },
  );
}

/** Handles `/flotilla review [words]` on a person's pull request; the reviewer reads the words. */
export function onReview(event: Commented, view: IssueState, rest: string): ChangeSet {
  const { theirs } = event;
  if (theirs === undefined)
    return decisionOnly("other_place", "it reviews pull requests of people, and this is none", {
      change:
        "comment on such a pull request; work of agents is reviewed automatically, or by `/flotilla start <reviewer>`",
    });
  const words = isSeen(rest) ? messageFor(event, rest) : null;
  return reviewPull(view, askedBy({ ...event, theirs }, words));
}

/** Handles `/flotilla fix [words]` on a person's pull request; the coder reads the words. */
export function onFix(event: Commented, view: IssueState, rest: string): ChangeSet {
  const { at, actor, issue, theirs, repository } = event;
  if (theirs === undefined)
    return decisionOnly("other_place", "it mends pull requests of people, and this is none", {
      change:
        "comment on such a pull request; agents mend their own after a review that requests changes, and `/flotilla start` begins work on an issue",
    });
  const words = isSeen(rest) ? messageFor(event, rest) : null;
  return fixPull(view, {
    at,
    actor: actor.login,
    issue,
    theirs,
    repository: fullName(repository),
    words,
  });
}
