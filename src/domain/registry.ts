import { onBlockerChanged, onPartChanged } from "./blockers/on-relations.ts";
import { onChecksChanged } from "./checks/on-checks.ts";
import { onCommented } from "./commands/on-comment.ts";
import type { DomainEvent, DomainEventOf } from "./events/domain-event.ts";
import {
  onIssueAssigned,
  onIssueClosed,
  onIssueLabeled,
  onIssueOpened,
  onIssueReopened,
  onIssueUnlabeled,
} from "./events/on-issue.ts";
import { onIssueEdited } from "./events/on-issue-edited.ts";
import { onIssueGone } from "./events/on-issue-gone.ts";
import { onIssueLocked } from "./events/on-issue-locked.ts";
import type { ChangeSet, IssueState } from "./kernel/change-set.ts";
import { onProposalClosed } from "./onboarding/on-proposal.ts";
import { onIssueMilestoned, onMilestoneChanged } from "./planning/on-plan.ts";
import { onPlanEdited } from "./planning/on-plan-edited.ts";
import { onCommentEdited } from "./questions/on-answer.ts";
import { onReviewDismissed, onReviewed } from "./review/on-reviewed.ts";
import { onPullClosed, onPullDrafted, onPullReady } from "./tasks/on-pull.ts";
import { onPushed } from "./tasks/on-push.ts";
import { onReverted } from "./tasks/on-reverted.ts";

/** What decides about each kind of event; a kind without a row does not compile. */
export const EVENT_HANDLERS: {
  readonly [T in DomainEvent["type"]]: (event: DomainEventOf<T>, state: IssueState) => ChangeSet;
} = {
  issue_opened: onIssueOpened,
  issue_labeled: onIssueLabeled,
  issue_unlabeled: onIssueUnlabeled,
  issue_closed: onIssueClosed,
  issue_reopened: onIssueReopened,
  issue_assigned: onIssueAssigned,
  issue_gone: onIssueGone,
  issue_locked: onIssueLocked,
  issue_milestoned: onIssueMilestoned,
  issue_edited: onIssueEdited,
  milestone_changed: onMilestoneChanged,
  blocker_changed: onBlockerChanged,
  part_changed: onPartChanged,
  commented: onCommented,
  comment_edited: (event, state) => onPlanEdited(event, state) ?? onCommentEdited(event, state),
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
