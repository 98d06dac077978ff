import { mergesItself } from "../../domain/access/level-of.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { holdsOf } from "../../domain/breakers/hold.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type AgentStatus, agentStatus } from "../../domain/status/agent-status.ts";
import { issueStatusLines } from "../../domain/status/explain.ts";
import { BY_ITSELF } from "../../domain/tasks/next-of-work.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { holdsAround } from "../status/holds-around.ts";
import { positionInAutomaticQueue } from "./entries.ts";

/**
 * Returns the status of each agent of one issue, by id. Includes holds that only the running engine knows.
 */
export async function agentStatusesOf(
  context: EngineContext,
  tables: Tables,
  agents: readonly AgentRecord[],
): Promise<ReadonlyMap<number, AgentStatus>> {
  const [first] = agents;
  if (first === undefined) return new Map();
  const held = await holdsAround(context, tables, first);
  const around = await tables.lists.around(agents);
  const repository = await tables.repositories.get(first.repositoryId);
  const merges = repository !== undefined && mergesItself(context.settings, fullName(repository));
  const told = agents.flatMap((agent): readonly (readonly [number, AgentStatus])[] => {
    const facts = around.get(agent.id);
    return facts === undefined
      ? []
      : [
          [
            agent.id,
            agentStatus(agent, {
              ...facts,
              command: context.runningCommands.get(agent.id),
              merging: merges ? BY_ITSELF : null,
              holds: holdsOf(agent, held),
            }),
          ],
        ];
  });
  return new Map(told);
}

async function latestTask(
  { store }: Pick<EngineContext, "store">,
  { repositoryId, issue }: Pick<TaskRecord, "repositoryId" | "issue">,
): Promise<TaskRecord | null> {
  return (await store.records.find("task", { repositoryId, issue })).at(-1) ?? null;
}

/** Returns the status of an issue's agents, its latest work and its goal or sprint, as text for people. */
export async function issueStatusOf(
  context: EngineContext,
  {
    repositoryId,
    issue,
    agents,
  }: { readonly repositoryId: number; readonly issue: number; readonly agents: readonly AgentRecord[] },
): Promise<readonly string[]> {
  const { store } = context;
  const statuses = await agentStatusesOf(context, store, agents);
  const task = await latestTask(context, { repositoryId, issue });
  return issueStatusLines({
    agents: agents.flatMap((agent) => {
      const status = statuses.get(agent.id);
      return status === undefined ? [] : { agent, status };
    }),
    task,
    merging: await positionInAutomaticQueue(context, task),
    plan: (await store.plans.ofIssue(repositoryId, issue)) ?? null,
  });
}
