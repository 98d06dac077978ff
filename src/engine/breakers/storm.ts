import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { makeOffer, type Offer } from "../../domain/agents/start-offer.ts";
import { creationLimit, HOUR_MS, isRepeatedWake, type StormLimits } from "../../domain/breakers/storm.ts";
import type { WakeRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";

/**
 * Returns why no further agent may be created, or null. Called inside the transaction that would create it.
 */
export async function stormLimit(
  limits: StormLimits,
  tables: Tables,
  newAgent: Pick<AgentRecord, "repositoryId" | "issue" | "parentAgentId">,
  at: number,
): Promise<string | null> {
  const { parentAgentId, repositoryId, issue } = newAgent;
  const earlier = await tables.records.find("agent", { repositoryId, issue });
  return creationLimit(
    {
      starts: earlier.length === 0 ? 0 : await tables.transitions.starts(repositoryId, issue, at - HOUR_MS),
      depth: await depthBelow(tables, parentAgentId),
      siblings: parentAgentId === null ? 0 : (await tables.records.ids("agent", { parentAgentId })).length,
    },
    limits,
  );
}

/** Ends because each parent is older than its child. */
async function depthBelow(tables: Tables, parentAgentId: number | null): Promise<number> {
  let depth = 0;
  for (let above = parentAgentId; above !== null; depth += 1)
    above = (await tables.records.get("agent", above))?.parentAgentId ?? null;
  return depth;
}

/**
 * Returns the escalation of an agent that is woken repeatedly for the same reason and does nothing; null for
 * any other.
 */
export async function repeatedWake(
  context: EngineContext,
  agent: AgentRecord,
  pending: readonly WakeRow[],
): Promise<Offer | null> {
  if (agent.state !== "SLEEPING") return null;
  const delivered = await context.store.wakes.delivered(agent.id, 2);
  const [wake] = pending;
  // Tool calls are read only for repeated wakes; most wakes are new.
  if (wake === undefined || !isRepeatedWake({ pending, delivered })) return null;
  if (await hasChanged(context, agent, delivered[0]?.settledAt ?? 0)) return null;
  return makeOffer(agent, {
    type: "ESCALATE",
    at: context.clock.now(),
    actor: "flotilla",
    reason: `it was woken ${delivered.length} times for the same (${wake.reason}: ${wake.detail.split("\n")[0]}) and changed nothing`,
    category: "no_progress",
    question: null,
    breaker: null,
  });
}

/** Returns whether a call that changes something has succeeded since; a report changes nothing. */
async function hasChanged(context: EngineContext, agent: AgentRecord, since: number): Promise<boolean> {
  const calls = await context.store.toolCalls.ofAgent(agent.id);
  return calls.some(
    ({ tool, status, startedAt }) =>
      startedAt >= since && status === "success" && context.toolKind(tool, agent) === "write",
  );
}

/** Returns why there are too many agents for a CREATE, or null. */
export function tooManyAgents(
  context: EngineContext,
  tables: Tables,
  { agent, event }: Guarded,
): Promise<string | null> {
  return stormLimit(context.settingsOf(agent.repositoryId).storm, tables, agent, event.at);
}
