import { checkRunCompleted, checkSuiteCompleted, statusChanged } from "./checks-changed.ts";
import { issueCommentCreated } from "./issue-comment-created.ts";
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
import { pullRequestClosed } from "./pull-request-closed.ts";
import { pullRequestConvertedToDraft } from "./pull-request-converted-to-draft.ts";
import { pullRequestReviewCommentCreated } from "./pull-request-review-comment-created.ts";
import { pullRequestReviewSubmitted } from "./pull-request-review-submitted.ts";
import { pushed } from "./pushed.ts";
import type { Reader } from "./reading.ts";

/** The webhooks that we use, as `event.action`, with who reads them. app.yml subscribes to exactly their events. */
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
  "issues.deleted": issuesDeleted,
  "issues.transferred": issuesTransferred,
  "issue_dependencies.blocked_by_added": blockedByAdded,
  "issue_dependencies.blocked_by_removed": blockedByRemoved,
  "sub_issues.sub_issue_added": subIssueAdded,
  "sub_issues.sub_issue_removed": subIssueRemoved,
  "issue_comment.created": issueCommentCreated,
  "pull_request.closed": pullRequestClosed,
  "pull_request.converted_to_draft": pullRequestConvertedToDraft,
  "pull_request_review.submitted": pullRequestReviewSubmitted,
  "pull_request_review_comment.created": pullRequestReviewCommentCreated,
  push: pushed,
  "check_run.completed": checkRunCompleted,
  "check_suite.completed": checkSuiteCompleted,
  status: statusChanged,
} as const satisfies Readonly<Record<string, Reader>>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS).filter(isUsedEvent);

/** True when somebody reads this webhook (`event.action`, or `event` where there is no action). */
export function isUsedEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}
