import { mergesItself } from "../../domain/access/level-of.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { holdsOf } from "../../domain/breakers/hold.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type AgentStatus, agentStatus } from "../../domain/status/agent-status.ts";
import { issueStatusLines } from "../../domain/status/explain.ts";
import { BY_ITSELF } from "../../domain/tasks/next-of-work.ts";
import { DECISIONS_SHOWN } from "../events/issue-state.ts";
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

/**
 * Returns the status of an issue's agents, its latest work and its goal or sprint, as text for people, and the latest
 * decisions there.
 */
export async function issueStatusOf(
  context: EngineContext,
  { repositoryId, issue }: { readonly repositoryId: number; readonly issue: number },
): Promise<Pick<IssueState, "status" | "decisions">> {
  // Read in one transaction: what moves meanwhile must not show beside what stood before it.
  const { decisions, ...facts } = await context.store.transaction(async (tables) => {
    const agents = await tables.records.find("agent", { repositoryId, issue });
    const statuses = await agentStatusesOf(context, tables, agents);
    return {
      agents: agents.flatMap((agent) => {
        const status = statuses.get(agent.id);
        return status === undefined ? [] : { agent, status };
      }),
      task: (await tables.records.find("task", { repositoryId, issue })).at(-1) ?? null,
      plan: (await tables.plans.ofIssue(repositoryId, issue)) ?? null,
      decisions: await tables.decisions.ofIssue(repositoryId, issue, DECISIONS_SHOWN),
    };
  });
  const merging = await positionInAutomaticQueue(context, facts.task);
  return { status: issueStatusLines({ ...facts, merging }), decisions };
}
