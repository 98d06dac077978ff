import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/** Moves of one issue that are searched for failed merges. */
const ROWS_READ = 1000;

/** Returns how often the merge of the task's work has failed since the task was last unclaimed. */
export async function failuresOf(
  { transitions }: Pick<Tables, "transitions">,
  { id, repositoryId, issue }: Pick<TaskRecord, "id" | "repositoryId" | "issue">,
): Promise<number> {
  const rows = await transitions.ofIssue(repositoryId, issue, ROWS_READ);
  const moves = rows.filter(({ machine, recordId }) => machine === "task" && recordId === id);
  const freed = moves.findLastIndex(({ to }) => to === "UNCLAIMED");
  return moves.slice(freed + 1).filter(({ event }) => event === "INTEGRATION_FAIL").length;
}
