import { type Refusal, refusalOf } from "../../domain/merge-queue/refusal.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { MergeQueueEntry } from "./entries.ts";

/** Decisions of one issue that are searched for the one about a failed try. */
const ROWS_READ = 100;

/**
 * Returns why the last try to merge or update this commit failed, while its base is unchanged and until the
 * next time slice (`reconcile_every`). Meanwhile other work goes first.
 */
export async function refusedNow(
  { store, clock, settings }: EngineContext,
  { task, coder, standing }: MergeQueueEntry,
): Promise<Refusal | null> {
  const slice = clock.now() - (clock.now() % settings.reconcileEveryMs);
  const tries = await store.effects.find({
    agentId: coder.id,
    kind: ["merge_pull", "update_branch"],
    state: ["done", "failed"],
    settledAt: { above: slice - 1 },
  });
  const last = tries.findLast(
    ({ payload }) =>
      (payload.kind === "merge_pull" || payload.kind === "update_branch") &&
      payload.head === task.reviewCommit &&
      payload.base === standing.base,
  );
  if (last === undefined) return null;
  const decisions = await store.decisions.ofIssue(task.repositoryId, task.issue, ROWS_READ);
  const about = ({ rule, inputs }: (typeof decisions)[number]) =>
    rule === "effect_failed" && Object(inputs).effect === last.key;
  return refusalOf(last, last.state === "failed" ? decisions.find(about) : undefined);
}
