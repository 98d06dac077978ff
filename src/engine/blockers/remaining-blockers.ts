import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type IssueRef, stillBlocking } from "../../domain/blockers/blockers.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow, WakeRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** What the agent itself said that it waits for, under the names of now. */
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

/** What else blocks an agent that a blocker's wake would let continue, as people write it; empty for any other. */
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
