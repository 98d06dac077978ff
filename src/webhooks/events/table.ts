import {
  checkRunCompleted,
  checkSuiteCompleted,
  statusChanged,
  workflowRunChanged,
} from "./checks-changed.ts";
import {
  installationCreated,
  installationDeleted,
  installationPermissions,
  installationRepositories,
  installationSuspended,
  installationUnsuspended,
} from "./installation.ts";
import { issueCommentCreated } from "./issue-comment-created.ts";
import { issueCommentEdited } from "./issue-comment-edited.ts";
import { blockedByAdded, blockedByRemoved, subIssueAdded, subIssueRemoved } from "./issue-dependencies.ts";
import { issuesAssigned } from "./issues-assigned.ts";
import { issuesClosed } from "./issues-closed.ts";
import { issuesEdited } from "./issues-edited.ts";
import { issuesDeleted, issuesTransferred } from "./issues-gone.ts";
import { issuesLabeled } from "./issues-labeled.ts";
import { issuesLocked, issuesUnlocked } from "./issues-locked.ts";
import { issuesOpened } from "./issues-opened.ts";
import { issuesReopened } from "./issues-reopened.ts";
import { issuesUnlabeled } from "./issues-unlabeled.ts";
import { issuesMilestoned, milestoneClosed, milestoneDeleted, milestoneEdited } from "./milestones.ts";
import type { WebhookParser } from "./parsing.ts";
import { pullRequestClosed } from "./pull-request-closed.ts";
import { pullRequestConvertedToDraft } from "./pull-request-converted-to-draft.ts";
import { pullRequestReadyForReview } from "./pull-request-ready-for-review.ts";
import { pullRequestReviewCommentCreated } from "./pull-request-review-comment-created.ts";
import { pullRequestReviewDismissed } from "./pull-request-review-dismissed.ts";
import { pullRequestReviewSubmitted } from "./pull-request-review-submitted.ts";
import { pushed } from "./pushed.ts";
import { repositoryChanged } from "./repository-changed.ts";

/**
 * The webhooks that we use, as `event.action`, with who reads them. app.yml subscribes to exactly their events, without
 * those that GitHub sends to every App.
 */
export const EVENTS = {
  "issues.opened": issuesOpened,
  "issues.labeled": issuesLabeled,
  "issues.unlabeled": issuesUnlabeled,
  "issues.closed": issuesClosed,
  "issues.reopened": issuesReopened,
  "issues.assigned": issuesAssigned,
  "issues.edited": issuesEdited,
  "issues.locked": issuesLocked,
  "issues.unlocked": issuesUnlocked,
  "issues.milestoned": issuesMilestoned,
  "issues.demilestoned": issuesMilestoned,
  "issues.deleted": issuesDeleted,
  "issues.transferred": issuesTransferred,
  "issue_dependencies.blocked_by_added": blockedByAdded,
  "issue_dependencies.blocked_by_removed": blockedByRemoved,
  "sub_issues.sub_issue_added": subIssueAdded,
  "sub_issues.sub_issue_removed": subIssueRemoved,
  "milestone.edited": milestoneEdited,
  "milestone.closed": milestoneClosed,
  "milestone.deleted": milestoneDeleted,
  "issue_comment.created": issueCommentCreated,
  "issue_comment.edited": issueCommentEdited,
  "pull_request.closed": pullRequestClosed,
  "pull_request.converted_to_draft": pullRequestConvertedToDraft,
  "pull_request.ready_for_review": pullRequestReadyForReview,
  "pull_request_review.submitted": pullRequestReviewSubmitted,
  "pull_request_review.dismissed": pullRequestReviewDismissed,
  "pull_request_review_comment.created": pullRequestReviewCommentCreated,
  push: pushed,
  "check_run.completed": checkRunCompleted,
  "check_suite.completed": checkSuiteCompleted,
  "workflow_run.requested": workflowRunChanged,
  "workflow_run.completed": workflowRunChanged,
  status: statusChanged,
  "repository.renamed": repositoryChanged("renamed"),
  "repository.transferred": repositoryChanged("transferred"),
  "repository.archived": repositoryChanged("archived"),
  "repository.unarchived": repositoryChanged("unarchived"),
  "repository.deleted": repositoryChanged("deleted"),
  "repository.privatized": repositoryChanged("privatized"),
  "repository.publicized": repositoryChanged("publicized"),
  "installation.created": installationCreated,
  "installation.deleted": installationDeleted,
  "installation.suspend": installationSuspended,
  "installation.unsuspend": installationUnsuspended,
  "installation.new_permissions_accepted": installationPermissions,
  "installation_repositories.added": installationRepositories,
  "installation_repositories.removed": installationRepositories,
} as const satisfies Readonly<Record<string, WebhookParser>>;

/** Sent to every App; a manifest that subscribes to them is refused. */
export const ALWAYS_SENT: readonly string[] = ["installation", "installation_repositories"];

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS).filter(isUsedEvent);

/** True when somebody reads this webhook (`event.action`, or `event` where there is no action). */
export function isUsedEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}
