import type { NewEffect } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import { issueEffect } from "../effect-rows.ts";
import { UNDER_REVIEW } from "../effects/look-at-review-checks.ts";
import { regularLook } from "./regular-look.ts";

/** One look at the checks of each task under review: what failed, what waits and what the base came to since. */
export async function reviewLooks(
  { store }: EngineContext,
  slice: number,
  at: number,
): Promise<readonly NewEffect[]> {
  const tasks = await store.records.find("task", { state: UNDER_REVIEW });
  return tasks.map(({ id: task, repositoryId, issue }) => ({
    ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_review_checks", task }, at }),
    key: regularLook(task, slice),
  }));
}
