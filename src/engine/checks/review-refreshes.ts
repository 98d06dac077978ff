import type { NewEffect } from "../../domain/kernel/rows.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import { scheduledRefresh } from "./scheduled-refresh.ts";

/**
 * Returns one refresh per task of its required checks: failures, pending checks and changes of the base
 * branch.
 */
export function reviewRefreshes(
  tasks: readonly TaskRecord[],
  { slice, at }: { readonly slice: number; readonly at: number },
): readonly NewEffect[] {
  return tasks.map(({ id: task, repositoryId, issue }) => ({
    ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_review_checks", task }, at }),
    key: scheduledRefresh(task, slice),
  }));
}
