import type { EffectKind } from "../../core/effect.ts";
import { closeSession } from "./close-session.ts";
import { createBlockerIssue } from "./create-blocker-issue.ts";
import { createSubIssue } from "./create-sub-issue.ts";
import type { Execution, Executor, Outcome } from "./execution.ts";
import { forgetWork } from "./forget-work.ts";
import { lookAtBlockers } from "./look-at-blockers.ts";
import { lookAtChecks } from "./look-at-checks.ts";
import { lookAtIssue } from "./look-at-issue.ts";
import { lookAtReviewChecks } from "./look-at-review-checks.ts";
import { lookAtTrain } from "./look-at-train.ts";
import { mergePull } from "./merge-pull.ts";
import { offerAttempt } from "./offer-attempt.ts";
import { offerReview } from "./offer-review.ts";
import { openIncident } from "./open-incident.ts";
import { openSession } from "./open-session.ts";
import { commit, openPr } from "./outputs.ts";
import { addBlockedBy, addLabels, postComment, react, removeLabel } from "./people.ts";
import { proposeFile } from "./propose-file.ts";
import { publishVerdict } from "./publish-verdict.ts";
import { pullFacts } from "./pull-facts.ts";
import { questionComment } from "./question-comment.ts";
import { recheckBlocker } from "./recheck-blocker.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { rerunCheck } from "./rerun-check.ts";
import { statusComment } from "./status-comment.ts";
import { taskLabel } from "./task-label.ts";
import { updateBranch } from "./update-branch.ts";

const executors: { readonly [K in EffectKind]: Executor<K> } = {
  open_session: openSession,
  close_session: closeSession,
  remove_worktree: removeWorktree,
  forget_work: forgetWork,
  status_comment: statusComment,
  post_comment: postComment,
  question_comment: questionComment,
  add_labels: addLabels,
  remove_label: removeLabel,
  task_label: taskLabel,
  react,
  open_incident: openIncident,
  add_blocked_by: addBlockedBy,
  recheck_blocker: recheckBlocker,
  look_at_blockers: lookAtBlockers,
  look_at_issue: lookAtIssue,
  look_at_checks: lookAtChecks,
  look_at_review_checks: lookAtReviewChecks,
  rerun_check: rerunCheck,
  offer_review: offerReview,
  offer_attempt: offerAttempt,
  publish_verdict: publishVerdict,
  commit,
  open_pr: openPr,
  pull_facts: pullFacts,
  create_blocker_issue: createBlockerIssue,
  create_sub_issue: createSubIssue,
  look_at_train: lookAtTrain,
  update_branch: updateBranch,
  merge_pull: mergePull,
  propose_file: proposeFile,
};

/** Does what the effect says, by its kind. */
export async function execute<K extends EffectKind>(kind: K, execution: Execution<K>): Promise<Outcome> {
  return executors[kind](execution);
}
