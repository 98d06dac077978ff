import { GitHubError } from "../../domain/kernel/errors.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { StepContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";

/**
 * Adds the closing of the issue once its work is merged into another branch than the default one: GitHub's closing
 * keywords do nothing there.
 */
export async function closeMerged(tx: StepContext, task: TaskRecord, from: string): Promise<void> {
  if (task.state !== "MERGED" || from === "MERGED" || task.base === null || tx.request.gone === true) return;
  const { id, repositoryId, issue } = task;
  const row = issueEffect({ repositoryId, issue, effect: { kind: "close_issue" }, at: tx.request.at });
  await tx.tables.effects.add([{ ...row, key: `task-${id}:close` }]);
}

/** Closes the issue, unless somebody has, or it is gone. */
export const closeIssue: Executor<"close_issue"> = async ({ context, repository, row }) => {
  const { github } = context;
  try {
    const { state } = await github.issue(repository, row.issue);
    if (state === "open") await github.closeIssue(repository, row.issue);
    return { result: { was: state } };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return { result: { gone: true } };
    throw error;
  }
};
