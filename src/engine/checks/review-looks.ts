import type { TaskRecord } from "../../core/machines/task.ts";
import type { NewEffect } from "../../core/rows.ts";
import { issueEffect } from "../effect-rows.ts";
import { regularLook } from "./regular-look.ts";

/** One look at the checks of each of these tasks: what failed, what waits and what the base came to since. */
export function reviewLooks(
  tasks: readonly TaskRecord[],
  { slice, at }: { readonly slice: number; readonly at: number },
): readonly NewEffect[] {
  return tasks.map(({ id: task, repositoryId, issue }) => ({
    ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_review_checks", task }, at }),
    key: regularLook(task, slice),
  }));
}
