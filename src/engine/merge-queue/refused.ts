import { type Refusal, refusalOf } from "../../domain/merge-queue/refusal.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { MergeQueueEntry } from "./entries.ts";

/** Decisions of one issue that are searched for the one about a failed try. */
const ROWS_READ = 100;

/** The longest pause between two tries that fail alike, in time slices (`reconcile_every`). */
const MOST_SLICES = 6;

/**
 * Returns why the last try to merge or update this commit failed, while its base is unchanged and until the
 * next try is due. Meanwhile other work goes first. The first pause lasts until the next time slice, and each
 * further one twice as long: work that fails each time would otherwise go first in every slice.
 */
export async function refusedNow(
  { store, clock, settings }: EngineContext,
  { task, coder, comparison }: MergeQueueEntry,
): Promise<Refusal | null> {
  const tries = await store.effects.find({
    agentId: coder.id,
    kind: ["merge_pull", "update_branch"],
    state: ["done", "failed"],
  });
  const same = tries.filter(
    ({ payload }) =>
      (payload.kind === "merge_pull" || payload.kind === "update_branch") &&
      payload.head === task.reviewCommit &&
      payload.base === comparison.base,
  );
  const last = same.at(-1);
  if (last === undefined) return null;
  const slice = settings.reconcileEveryMs;
  const settledAt = last.settledAt ?? 0;
  const failed = same.filter((one) => refusalOf(one, undefined) !== null).length;
  const pause = slice * Math.min(2 ** (failed - 1), MOST_SLICES);
  if (clock.now() >= settledAt - (settledAt % slice) + pause) return null;
  const decisions = await store.decisions.ofIssue(task.repositoryId, task.issue, ROWS_READ);
  const about = ({ rule, inputs }: (typeof decisions)[number]) =>
    rule === "effect_failed" && Object(inputs).effect === last.key;
  return refusalOf(last, last.state === "failed" ? decisions.find(about) : undefined);
}
