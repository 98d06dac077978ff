import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { RunRecord } from "../../domain/agents/run.ts";
import type { SessionRecord } from "../../domain/agents/session.ts";
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

/** Returns the record of the agent's conversation. */
export async function conversationOf(
  { records }: Pick<Tables, "records">,
  { id: agentId, sessionId }: AgentRecord,
): Promise<SessionRecord | undefined> {
  return sessionId === null ? undefined : (await records.find("session", { agentId, sessionId })).at(-1);
}
