import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/** Among so many moves of the issue the one is looked for that put its commit up for review. */
const MOVES_READ = 200;

/** When the commit of the task was put up for review, in milliseconds since the epoch. */
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
