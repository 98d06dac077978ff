import { mergesItself } from "../../domain/access/level-of.ts";
import { isOnPull } from "../../domain/agents/agent-record.ts";
import { fullName, type RepositoryRef } from "../../domain/kernel/repository.ts";
import { headline } from "../../domain/status/headline.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { agentStatusesOf } from "../merge-queue/agent-statuses.ts";
import { positionInQueue } from "../merge-queue/entries.ts";

/** Returns the first line of an issue's status comment as it would be written now, and the title of its work. */
export async function readHeadline(
  context: EngineContext,
  repository: RepositoryRef & { readonly id: number },
  issue: number,
): Promise<{ readonly title: string | null; readonly line: string }> {
  const { store, settings } = context;
  const repositoryId = repository.id;
  // Read in one transaction: what moves meanwhile must not show beside what stood before it.
  const { agents, task, decision } = await store.transaction(async (tables) => {
    const records = await tables.records.find("agent", { repositoryId, issue });
    const statuses = await agentStatusesOf(context, tables, records);
    return {
      agents: records
        .toSorted((left, right) => right.id - left.id)
        .flatMap((agent) => {
          const status = statuses.get(agent.id);
          return status === undefined ? [] : [{ agent, status }];
        }),
      task: (await tables.records.find("task", { repositoryId, issue })).at(-1) ?? null,
      decision: (await tables.decisions.inForce(repositoryId, issue)) ?? null,
    };
  });
  const isQueued = task !== null && mergesItself(settings, fullName(repository));
  const merging = isQueued ? await positionInQueue(store, task) : null;
  const isPull = agents.some(({ agent }) => isOnPull(agent));
  return {
    title: task === null ? null : task.title,
    line: headline({ agents, task, merging, decision, isPull }),
  };
}
