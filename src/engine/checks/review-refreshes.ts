import type { NewEffect } from "../../domain/kernel/rows.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import { scheduledRefresh } from "./scheduled-refresh.ts";

/** One look at the checks of each of these tasks: what failed, what waits and what the base came to since. */
export function reviewRefreshes(
  tasks: readonly TaskRecord[],
  { slice, at }: { readonly slice: number; readonly at: number },
): readonly NewEffect[] {
  return tasks.map(({ id: task, repositoryId, issue }) => ({
    ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_review_checks", task }, at }),
    key: scheduledRefresh(task, slice),
  }));
}
