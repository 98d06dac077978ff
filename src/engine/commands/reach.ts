import { issueOfName, parseAgentKey } from "../../domain/agents/agent-key.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { SessionState } from "../../domain/agents/session.ts";
import { OperationError, type OperationFault } from "../../domain/commands/operation-fault.ts";
import { guardAgentOperation, type Operation } from "../../domain/commands/operations.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** An agent and the state of its latest conversation, null while it had none. */
export interface Reached {
  readonly agent: AgentRecord;
  readonly session: SessionState | null;
}

/**
 * Returns the agent of a key `owner/name:agent-name`. Throws `OperationError` not_found or task_not_found.
 */
export async function reach(tables: Tables, key: string): Promise<Reached> {
  const parsed = parseAgentKey(key);
  const name = parsed === undefined ? undefined : parseFullName(parsed.repository);
  const repository = name && (await tables.repositories.byName(name.owner, name.name));
  const [agent] =
    parsed === undefined || repository === undefined
      ? []
      : await tables.records.find("agent", { repositoryId: repository.id, name: parsed.name });
  if (agent === undefined) throw new OperationError(await faultOfUnknown(tables, key));
  return { agent, session: await latestSession(tables, agent.id) };
}

/**
 * Returns why no agent has that key: `task_not_found` when it names an issue of a known repository that never
 * had any work, `invalid_argument` when it is not a valid key, otherwise `not_found`.
 */
export async function faultOfUnknown(
  tables: Pick<Tables, "records" | "repositories">,
  key: string,
): Promise<OperationFault> {
  const parsed = parseAgentKey(key);
  if (parsed === undefined)
    return {
      code: "invalid_argument",
      argument: "agent",
      expected: "owner/name:agent, as `flotilla agents list` shows it",
    };
  const name = parseFullName(parsed.repository);
  const repository = name && (await tables.repositories.byName(name.owner, name.name));
  const issue = issueOfName(parsed.name);
  if (repository !== undefined && issue !== null) {
    const where = { repositoryId: repository.id, issue };
    const [agents, tasks] = [
      await tables.records.find("agent", where),
      await tables.records.find("task", where),
    ];
    if (agents.length + tasks.length === 0) return { code: "task_not_found", issue };
  }
  return { code: "not_found", what: `agent ${key}` };
}

/**
 * Returns the agent of a key if it accepts the operation; otherwise throws the guard's fault as
 * `OperationError`.
 */
export async function reachFor(tables: Tables, key: string, operation: Operation): Promise<Reached> {
  const reached = await reach(tables, key);
  const fault = guardAgentOperation(reached.agent, reached.session, operation);
  if (fault !== null) throw new OperationError(fault);
  return reached;
}

async function latestSession(tables: Tables, agentId: number): Promise<SessionState | null> {
  return (await tables.records.find("session", { agentId })).at(-1)?.state ?? null;
}
