import { onBlockerChanged, onPartChanged } from "./blockers/on-relations.ts";
import { onChecksChanged } from "./checks/on-checks.ts";
import { onCommented } from "./commands/on-comment.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import { ISSUE_HANDLERS } from "./events/on-issue.ts";
import { LABEL_HANDLERS } from "./events/on-label.ts";
import type { ChangeSet, IssueState } from "./kernel/change-set.ts";
import { onProposalClosed } from "./onboarding/on-proposal.ts";
import { onIssueMilestoned, onMilestoneChanged } from "./planning/on-plan.ts";
import { onPlanEdited } from "./planning/on-plan-edited.ts";
import { onCommentEdited } from "./questions/on-answer.ts";
import { onReviewDismissed, onReviewed } from "./review/on-reviewed.ts";
import { onPullClosed, onPullDrafted, onPullReady } from "./tasks/on-pull.ts";
import { onPushed } from "./tasks/on-push.ts";
import { onReverted } from "./tasks/reverts.ts";

/** The handler of each kind of event; a kind without a row does not compile. */
export const EVENT_HANDLERS: {
  readonly [T in DomainEvent["type"]]: (event: DomainEventOf<T>, view: IssueState) => ChangeSet;
} = {
  ...ISSUE_HANDLERS,
  ...LABEL_HANDLERS,
  issue_milestoned: onIssueMilestoned,
  milestone_changed: onMilestoneChanged,
  blocker_changed: onBlockerChanged,
  part_changed: onPartChanged,
  commented: onCommented,
  comment_edited: (event, view) => onPlanEdited(event, view) ?? onCommentEdited(event, view),
  pull_closed: onPullClosed,
  pull_drafted: onPullDrafted,
  pull_ready: onPullReady,
  proposal_closed: onProposalClosed,
  pushed: onPushed,
  reverted: onReverted,
  checks_changed: onChecksChanged,
  reviewed: onReviewed,
  review_dismissed: onReviewDismissed,
};
