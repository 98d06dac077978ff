import { refreshesOfDependents } from "../blockers/refresh-blocked.ts";
import { onChecksChanged } from "../checks/on-checks.ts";
import { refusedOf } from "../commands/refused.ts";
import type { DomainEvent } from "../events/domain-event.ts";
import { onCommented } from "../events/on-comment.ts";
import {
  onIssueAssigned,
  onIssueClosed,
  onIssueLabeled,
  onIssueOpened,
  onIssueReopened,
  onIssueUnlabeled,
} from "../events/on-issue.ts";
import { onIssueEdited } from "../events/on-issue-edited.ts";
import { onIssueGone } from "../events/on-issue-gone.ts";
import { onIssueLocked } from "../events/on-issue-locked.ts";
import { onProposalClosed } from "../events/on-proposal.ts";
import { onPullClosed, onPullDrafted, onPullReady } from "../events/on-pull.ts";
import { onPushed } from "../events/on-push.ts";
import { onBlockerChanged, onPartChanged } from "../events/on-relations.ts";
import { onReverted } from "../events/on-reverted.ts";
import { onIssueMilestoned, onMilestoneChanged } from "../planning/on-plan.ts";
import { onPlanEdited } from "../planning/on-plan-edited.ts";
import { onCommentEdited } from "../questions/on-answer.ts";
import { onReviewDismissed, onReviewed } from "../review/on-reviewed.ts";
import { type ChangeSet, type IssueState, mergeChanges, NO_CHANGES } from "./change-set.ts";
import { withUnread } from "./unread-comments.ts";

/** What follows from what happened on GitHub, given what we know. Pure; never empty: a non-action is a decision. */
export function decide(event: DomainEvent, view: IssueState): ChangeSet {
  return withUnread(event, refusedOf(reactTo(event, view), event.actor), view);
}

function reactTo(event: DomainEvent, view: IssueState): ChangeSet {
  switch (event.type) {
    case "issue_opened":
      return onIssueOpened(event, view);
    case "issue_labeled":
      return onIssueLabeled(event, view);
    case "issue_unlabeled":
      return onIssueUnlabeled(event, view);
    case "issue_closed":
      return onIssueClosed(event, view);
    case "issue_reopened":
      return mergeChanges(onIssueReopened(event, view), {
        ...NO_CHANGES,
        effects: refreshesOfDependents(view),
      });
    case "issue_assigned":
      return onIssueAssigned(event, view);
    case "issue_gone":
      return onIssueGone(event, view);
    case "issue_locked":
      return onIssueLocked(event, view);
    case "issue_milestoned":
      return onIssueMilestoned(event);
    case "milestone_changed":
      return onMilestoneChanged(event, view);
    case "issue_edited":
      return onIssueEdited(event, view);
    case "blocker_changed":
      return onBlockerChanged(event, view);
    case "part_changed":
      return onPartChanged(event, view);
    case "commented":
      return onCommented(event, view);
    case "comment_edited":
      return onPlanEdited(event, view) ?? onCommentEdited(event, view);
    case "pull_closed":
      return onPullClosed(event, view);
    case "proposal_closed":
      return onProposalClosed(event);
    case "pushed":
      return onPushed(event, view);
    case "reverted":
      return onReverted(event, view);
    case "pull_drafted":
      return onPullDrafted(event, view);
    case "pull_ready":
      return onPullReady(event, view);
    case "checks_changed":
      return onChecksChanged(event, view);
    case "reviewed":
      return onReviewed(event, view);
    case "review_dismissed":
      return onReviewDismissed(event, view);
  }
}
