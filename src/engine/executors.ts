import { offerAttempt } from "./agents/offer-attempt.ts";
import { refreshIssue } from "./backfill/refresh-issue.ts";
import { createBlockerIssue } from "./blockers/create-blocker-issue.ts";
import { recheckBlocker } from "./blockers/recheck-blocker.ts";
import { refreshBlockers } from "./blockers/refresh-blockers.ts";
import { openIncident } from "./breakers/open-incident.ts";
import { refreshChecks } from "./checks/refresh-checks.ts";
import { refreshReviewChecks } from "./checks/refresh-review-checks.ts";
import { rerunCheck } from "./checks/rerun-check.ts";
import { interruptHere } from "./commands/talk.ts";
import { forgetWork } from "./conversation/forget-work.ts";
import { offerLesson } from "./lessons/offer-lesson.ts";
import { proposeLesson } from "./lessons/propose-lesson.ts";
import { advanceMergeQueue } from "./merge-queue/advance-queue.ts";
import { mergePull } from "./merge-queue/merge-pull.ts";
import { updateBranch } from "./merge-queue/update-branch.ts";
import { sendNotices } from "./notices/send-notices.ts";
import { proposeFile } from "./onboarding/propose-config.ts";
import type { Executors } from "./outbox/execution.ts";
import { addBlockedBy, addLabels, postComment, react, removeLabel } from "./outbox/people.ts";
import { createSubIssue } from "./planning/create-sub-issue.ts";
import { questionComment } from "./questions/question-comment.ts";
import { offerReview } from "./review/offer-review.ts";
import { publishReview } from "./review/publish-review.ts";
import { publishVerdict } from "./review/publish-verdict.ts";
import { openScheduled } from "./schedules/open-scheduled.ts";
import { closeSession } from "./sessions/close-session.ts";
import { openSession } from "./sessions/open-session.ts";
import { statusComment } from "./status/status-comment.ts";
import { closeIssue } from "./tasks/close-issue.ts";
import { createBackport } from "./tasks/create-backport.ts";
import { commit, openPr } from "./tasks/outputs.ts";
import { pullFacts } from "./tasks/pull-facts-effect.ts";
import { removeWorktree } from "./tasks/remove-worktree.ts";
import { taskLabel } from "./tasks/task-label.ts";

/** The executor of each kind of effect; a kind without a row does not compile. */
export const EXECUTORS: Executors = {
  open_session: openSession,
  close_session: closeSession,
  remove_worktree: removeWorktree,
  interrupt: interruptHere,
  forget_work: forgetWork,
  status_comment: statusComment,
  post_comment: postComment,
  question_comment: questionComment,
  add_labels: addLabels,
  remove_label: removeLabel,
  task_label: taskLabel,
  close_issue: closeIssue,
  react,
  open_incident: openIncident,
  add_blocked_by: addBlockedBy,
  recheck_blocker: recheckBlocker,
  look_at_blockers: refreshBlockers,
  look_at_issue: refreshIssue,
  look_at_checks: refreshChecks,
  look_at_review_checks: refreshReviewChecks,
  rerun_check: rerunCheck,
  offer_review: offerReview,
  offer_attempt: offerAttempt,
  publish_verdict: publishVerdict,
  publish_review: publishReview,
  commit,
  open_pr: openPr,
  pull_facts: pullFacts,
  create_blocker_issue: createBlockerIssue,
  create_sub_issue: createSubIssue,
  create_backport: createBackport,
  look_at_train: advanceMergeQueue,
  update_branch: updateBranch,
  merge_pull: mergePull,
  propose_file: proposeFile,
  offer_lesson: offerLesson,
  propose_lesson: proposeLesson,
  open_scheduled: openScheduled,
  notify: sendNotices,
};
