import type { Occurrence } from "./occurrence.ts";
import { joined, NOTHING, type Reaction, type View } from "./reaction.ts";
import { looksAtHeld } from "./reactions/looks-at-held.ts";
import { onCommentEdited } from "./reactions/on-answer.ts";
import { onChecksChanged } from "./reactions/on-checks.ts";
import { onCommented } from "./reactions/on-comment.ts";
import {
  onIssueAssigned,
  onIssueClosed,
  onIssueLabeled,
  onIssueOpened,
  onIssueReopened,
  onIssueUnlabeled,
} from "./reactions/on-issue.ts";
import { onIssueEdited } from "./reactions/on-issue-edited.ts";
import { onIssueGone } from "./reactions/on-issue-gone.ts";
import { onIssueLocked } from "./reactions/on-issue-locked.ts";
import { onIssueMilestoned, onMilestoneChanged } from "./reactions/on-plan.ts";
import { onPlanEdited } from "./reactions/on-plan-edited.ts";
import { onProposalClosed } from "./reactions/on-proposal.ts";
import { onPullClosed, onPullDrafted, onPullReady } from "./reactions/on-pull.ts";
import { onPushed } from "./reactions/on-push.ts";
import { onBlockerChanged, onPartChanged } from "./reactions/on-relations.ts";
import { onReverted } from "./reactions/on-reverted.ts";
import { onReviewDismissed, onReviewed } from "./reactions/on-reviewed.ts";
import { refusedOf } from "./reactions/refused.ts";
import { withUnread } from "./reactions/unread.ts";

/** What follows from what happened on GitHub, given what we know. Pure; never empty: a non-action is a decision. */
export function react(occurrence: Occurrence, view: View): Reaction {
  return withUnread(occurrence, refusedOf(reactTo(occurrence, view), occurrence.actor), view);
}

function reactTo(occurrence: Occurrence, view: View): Reaction {
  switch (occurrence.type) {
    case "issue_opened":
      return onIssueOpened(occurrence, view);
    case "issue_labeled":
      return onIssueLabeled(occurrence, view);
    case "issue_unlabeled":
      return onIssueUnlabeled(occurrence, view);
    case "issue_closed":
      return onIssueClosed(occurrence, view);
    case "issue_reopened":
      return joined(onIssueReopened(occurrence, view), { ...NOTHING, effects: looksAtHeld(view) });
    case "issue_assigned":
      return onIssueAssigned(occurrence, view);
    case "issue_gone":
      return onIssueGone(occurrence, view);
    case "issue_locked":
      return onIssueLocked(occurrence, view);
    case "issue_milestoned":
      return onIssueMilestoned(occurrence);
    case "milestone_changed":
      return onMilestoneChanged(occurrence, view);
    case "issue_edited":
      return onIssueEdited(occurrence, view);
    case "blocker_changed":
      return onBlockerChanged(occurrence, view);
    case "part_changed":
      return onPartChanged(occurrence, view);
    case "commented":
      return onCommented(occurrence, view);
    case "comment_edited":
      return onPlanEdited(occurrence, view) ?? onCommentEdited(occurrence, view);
    case "pull_closed":
      return onPullClosed(occurrence, view);
    case "proposal_closed":
      return onProposalClosed(occurrence);
    case "pushed":
      return onPushed(occurrence, view);
    case "reverted":
      return onReverted(occurrence, view);
    case "pull_drafted":
      return onPullDrafted(occurrence, view);
    case "pull_ready":
      return onPullReady(occurrence, view);
    case "checks_changed":
      return onChecksChanged(occurrence, view);
    case "reviewed":
      return onReviewed(occurrence, view);
    case "review_dismissed":
      return onReviewDismissed(occurrence, view);
  }
}
