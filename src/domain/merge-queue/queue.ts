import type { TransitionRow } from "../kernel/rows.ts";
import type { TaskRecord, TaskState } from "../tasks/task-record.ts";

/** Where the work of a task may be while it has a place in the train. */
const ABOARD: readonly TaskState[] = ["APPROVED", "INTEGRATION_FAILED"];
const MENDED: readonly TaskState[] = ["CLAIMED", "READY_FOR_REVIEW", "REJECTED"];

/** The states of which some tasks are in the train. See `isQueued`. */
export const TRAIN_STATES: readonly TaskState[] = [...ABOARD, ...MENDED];

/** Approved work, and work that failed in the train and is fixed: it keeps its place, so that it is fixed once. */
export function isQueued(task: Pick<TaskRecord, "state" | "integrationFix">): boolean {
  return ABOARD.includes(task.state) || (task.integrationFix && MENDED.includes(task.state));
}

/** When it came into the train: at its first approval since it was free last. `moves` = its task's, oldest first. */
export function joinedAt(moves: readonly Pick<TransitionRow, "at" | "to">[]): number | null {
  const freed = moves.findLastIndex(({ to }) => to === "UNCLAIMED");
  return moves.slice(freed + 1).find(({ to }) => to === "APPROVED")?.at ?? null;
}

/** A task in the train of its base branch. */
export interface QueueEntry {
  readonly taskId: number;
  readonly issue: number;
  /** Milliseconds since the epoch. */
  readonly joinedAt: number;
  /** What it changes. */
  readonly files: readonly string[];
  /** Nobody fixes it any more, or it may not continue: it keeps nobody waiting. */
  readonly stands: boolean;
}

/** Returns the oldest first. */
export function inOrder<C extends Pick<QueueEntry, "joinedAt" | "taskId">>(
  entries: readonly C[],
): readonly C[] {
  return entries.toSorted((one, other) => one.joinedAt - other.joinedAt || one.taskId - other.taskId);
}

/**
 * Returns the first of those before it that changes a file which it changes too: merged after that, it meets a conflict
 * once.
 */
export function waitsBehind<C extends QueueEntry>(entry: QueueEntry, entries: readonly C[]): C | null {
  const mine = new Set(entry.files);
  const queue = inOrder(entries);
  const before = queue.slice(
    0,
    queue.findIndex(({ taskId }) => taskId === entry.taskId),
  );
  return before.find(({ stands, files }) => !stands && files.some((file) => mine.has(file))) ?? null;
}
