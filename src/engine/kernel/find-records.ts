import type { RunRecord } from "../../domain/agents/run.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isOpenTask, type TaskRecord } from "../../domain/tasks/task-record.ts";

/** Returns the run of an agent's attempt. */
export async function runOf(tables: Tables, agentId: number): Promise<RunRecord | undefined> {
  return (await tables.records.find("run", { agentId })).at(-1);
}

/** Returns the issue's task that is not terminal. */
export async function taskOf(
  tables: Tables,
  repositoryId: number,
  issue: number,
): Promise<TaskRecord | undefined> {
  return (await tables.records.find("task", { repositoryId, issue })).findLast(isOpenTask);
}
