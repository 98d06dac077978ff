import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/** Moves of the issue that are searched for the one that submitted its commit for review. */
const MOVES_READ = 200;

/** Returns when the task's commit was submitted for review, in milliseconds since the epoch. */
export async function underReviewSince(
  store: Pick<Tables, "transitions">,
  task: TaskRecord,
): Promise<number> {
  const moves = await store.transitions.ofIssue(task.repositoryId, task.issue, MOVES_READ);
  const up = moves.findLast(
    ({ machine, recordId, event }) =>
      machine === "task" && recordId === task.id && ["REQUEST_REVIEW", "NEW_COMMIT"].includes(event),
  );
  return up?.at ?? task.createdAt;
}
