import type { TransitionRow } from "../kernel/rows.ts";
import type { TaskRecord, TaskState } from "../tasks/task-record.ts";

/** States in which work is in the merge queue. */
const ABOARD: readonly TaskState[] = ["APPROVED", "INTEGRATION_FAILED"];
const MENDED: readonly TaskState[] = ["CLAIMED", "READY_FOR_REVIEW", "REJECTED"];

/** All states in which work may be in the merge queue. See `isQueued`. */
export const QUEUE_STATES: readonly TaskState[] = [...ABOARD, ...MENDED];

/**
 * Returns true for approved work, and for work whose merge failed and is being fixed: it keeps its position, so that it
 * is fixed once.
 */
export function isQueued(task: Pick<TaskRecord, "state" | "integrationFix">): boolean {
  return ABOARD.includes(task.state) || (task.integrationFix && MENDED.includes(task.state));
}

/**
 * Returns when the work entered the queue: its first approval since it was last free. `moves` = its task's, oldest
 * first.
 */
export function joinedAt(moves: readonly Pick<TransitionRow, "at" | "to">[]): number | null {
  const freed = moves.findLastIndex(({ to }) => to === "UNCLAIMED");
  return moves.slice(freed + 1).find(({ to }) => to === "APPROVED")?.at ?? null;
}

/** A task in the merge queue of its base branch. */
export interface QueueEntry extends Pick<TaskRecord, "base"> {
  readonly taskId: number;
  readonly issue: number;
  /** Milliseconds since the epoch. */
  readonly joinedAt: number;
  /** Files that the work changes. */
  readonly files: readonly string[];
  /** True when nobody fixes the work, or it may not continue: no other work waits for it. */
  readonly stopped: boolean;
}

/** Returns the entries, the oldest first. */
export function inOrder<C extends Pick<QueueEntry, "joinedAt" | "taskId">>(
  entries: readonly C[],
): readonly C[] {
  return entries.toSorted((one, other) => one.joinedAt - other.joinedAt || one.taskId - other.taskId);
}

/**
 * Returns the first earlier entry of the same base branch that changes one of the same files; merged after that one,
 * this work is fixed once.
 */
export function waitsBehind<C extends QueueEntry>(entry: QueueEntry, entries: readonly C[]): C | null {
  const mine = new Set(entry.files);
  const queue = inOrder(entries);
  const before = queue.slice(
    0,
    queue.findIndex(({ taskId }) => taskId === entry.taskId),
  );
  return (
    before.find(
      ({ base, stopped, files }) => base === entry.base && !stopped && files.some((file) => mine.has(file)),
    ) ?? null
  );
}
