import { reviewDue } from "../../domain/review/review-due.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { Executor } from "../outbox/execution.ts";

/** Offers work under review to the reviewer that is due, or records the obstacle as a decision. */
export const offerReview: Executor<"offer_review"> = async ({ context, repository, row, effect }) => {
  const view = await readIssueState(context, repository, row.issue);
  const { task } = view;
  if (task?.state !== "READY_FOR_REVIEW") return { result: null };
  const number = view.agents.find(({ id }) => id === task.assigneeId)?.prNumber ?? null;
  const pull = number === null ? null : await context.github.pullRequest(repository, number);
  const at = context.clock.now();
  const changes = reviewDue({ at, task, pull, asked: effect.asked }, view);
  return {
    result: { pull: number },
    changes: await withBlockers(context, repository, row.issue, changes),
  };
};
