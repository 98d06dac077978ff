import { isLive } from "../../domain/agents/agent-record.ts";
import type { MoveOf } from "../../domain/kernel/change-set.ts";
import {
  blankReviewLease,
  type ReviewLeaseEvent,
  type ReviewLeaseRecord,
  reviewLeaseMachine,
} from "../../domain/review/review-lease.ts";
import type { CascadingMoves, StepContext } from "../kernel/engine-context.ts";
import { stepRecord, subjectOf } from "../kernel/step-record.ts";
import { followLease } from "./follow-moves.ts";

/**
 * Applies one event to the lease of a task's review. `null` = the lease of the task that a CLAIM names,
 * created with the first claim.
 */
export async function stepReviewLease(
  tx: StepContext,
  { id, event }: MoveOf<"review_lease">,
): Promise<readonly CascadingMoves[]> {
  const { records } = tx.tables;
  const before = id === null ? await leaseFor(tx, event) : await records.get("review_lease", id);
  const taken = await stepRecord(tx, {
    name: "review_lease",
    machine: reviewLeaseMachine,
    before,
    event,
    blank: undefined,
    save: async (old, next) => (old === undefined ? next : records.save("review_lease", old, next)),
    subject: (lease) => subjectOf(tx, lease?.holderId ?? null),
    reason: () => ("why" in event ? event.why : null),
  });
  if (taken !== null) await followLease(tx, taken.after);
  const holderId = before?.holderId ?? null;
  if (taken === null || holderId === null) return [];
  return taken.moved.emits.map((emitted) => async () => {
    const holder = await records.get("agent", holderId);
    return holder !== undefined && isLive(holder)
      ? [{ machine: "agent", id: holder.id, event: emitted.event }]
      : [];
  });
}

async function leaseFor(tx: StepContext, event: ReviewLeaseEvent): Promise<ReviewLeaseRecord | undefined> {
  if (event.type !== "CLAIM") return undefined;
  const { records } = tx.tables;
  const { taskId } = event;
  const [known] = await records.find("review_lease", { taskId });
  return known ?? records.insert("review_lease", { ...blankReviewLease, taskId });
}
