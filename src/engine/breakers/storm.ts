import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type Offer, offered } from "../../domain/agents/start-offer.ts";
import { creationLimit, HOUR_MS, isRepeatedWake, type StormLimits } from "../../domain/breakers/storm.ts";
import type { WakeRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";

/** What stands against a new agent, read inside the transaction that would make it. */
export async function stormLimit(
  limits: StormLimits,
  tables: Tables,
  newAgent: Pick<AgentRecord, "repositoryId" | "issue" | "parentAgentId">,
  at: number,
): Promise<string | null> {
  const { parentAgentId } = newAgent;
  return creationLimit(
    {
      starts: await tables.transitions.starts(newAgent.repositoryId, newAgent.issue, at - HOUR_MS),
      depth: await depthBelow(tables, parentAgentId),
      siblings: parentAgentId === null ? 0 : (await tables.records.ids("agent", { parentAgentId })).length,
    },
    limits,
  );
}

/** Parents are older than their children, so this comes to an end. */
async function depthBelow(tables: Tables, parentAgentId: number | null): Promise<number> {
  let depth = 0;
  for (let above = parentAgentId; above !== null; depth += 1)
    above = (await tables.records.get("agent", above))?.parentAgentId ?? null;
  return depth;
}

/** An agent that is woken again and again for the same and does nothing is a person's; null for any other. */
export async function repeatedWake(
  context: EngineContext,
  agent: AgentRecord,
  pending: readonly WakeRow[],
): Promise<Offer | null> {
  if (agent.state !== "SLEEPING") return null;
  const delivered = await context.store.wakes.delivered(agent.id, 2);
  const [wake] = pending;
  // Most wakes are news: only for the others the calls are read.
  if (wake === undefined || !isRepeatedWake({ pending, delivered })) return null;
  if (await hasChanged(context, agent, delivered[0]?.settledAt ?? 0)) return null;
  return offered(agent, {
    type: "ESCALATE",
    at: context.clock.now(),
    actor: "flotilla",
    reason: `it was woken ${delivered.length} times for the same (${wake.reason}: ${wake.detail.split("\n")[0]}) and changed nothing`,
    category: "no_progress",
    question: null,
    breaker: null,
  });
}

/** A call that changes something has succeeded since; a report changes nothing. */
async function hasChanged(context: EngineContext, agent: AgentRecord, since: number): Promise<boolean> {
  const calls = await context.store.toolCalls.ofAgent(agent.id);
  return calls.some(
    ({ tool, status, startedAt }) =>
      startedAt >= since && status === "success" && context.toolKind(tool) === "write",
  );
}

/** For a CREATE: why there are too many agents already. */
export function tooManyAgents(
  context: EngineContext,
  tables: Tables,
  { agent, event }: Guarded,
): Promise<string | null> {
  return stormLimit(context.settingsOf(agent.repositoryId).storm, tables, agent, event.at);
}
