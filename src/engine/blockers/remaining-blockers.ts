import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type IssueRef, stillBlocking } from "../../domain/blockers/blockers.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow, WakeRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Returns the blockers that the agent itself reported, under the current names of their repositories. */
async function reportedBlockers(
  { repositories }: EngineContext["store"],
  agent: AgentRecord,
  home: RepositoryRow,
): Promise<readonly IssueRef[]> {
  const here = agent.blockedBy.map((number) => ({ repository: fullName(home), number }));
  const elsewhere = await Promise.all(
    agent.blockedElsewhere.map(async ({ repositoryId, repository, number }) => {
      const known = await repositories.get(repositoryId);
      return { repository: known === undefined ? repository : fullName(known), number };
    }),
  );
  return [...here, ...elsewhere];
}

/**
 * Returns what else blocks an agent with a pending blocker wake, as issue references; empty for any other
 * agent.
 */
export async function remainingBlockers(
  { store }: EngineContext,
  agent: AgentRecord,
  wakes: readonly WakeRow[],
): Promise<readonly string[]> {
  if (!wakes.some(({ reason }) => reason === "blocker")) return [];
  const home = await store.repositories.get(agent.repositoryId);
  if (home === undefined) return [];
  return stillBlocking(agent, {
    home,
    reported: await reportedBlockers(store, agent, home),
    known: await store.blockers.get(agent.repositoryId, agent.issue),
    wakes: new Set(wakes.map(({ key }) => key)),
  });
}
