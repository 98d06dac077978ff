import type { AgentRecord } from "../core/machines/agent-record.ts";
import { type Offer, offered } from "../core/offer.ts";
import type { Tables } from "../core/ports/store.ts";
import type { WakeRow } from "../core/rows.ts";
import type { Settings } from "../core/settings.ts";
import { creationLimit, HOUR_MS, wokenInVain } from "../core/storm.ts";
import type { EngineContext } from "./context.ts";
import { changes, REPORTS } from "./reading-tools.ts";

/** What stands against a new agent, read inside the transaction that would make it. */
export async function stormLimit(
  limits: Settings["storm"],
  tables: Tables,
  birth: Pick<AgentRecord, "repositoryId" | "issue" | "parentAgentId">,
  at: number,
): Promise<string | null> {
  const { parentAgentId } = birth;
  return creationLimit(
    {
      starts: await tables.transitions.starts(birth.repositoryId, birth.issue, at - HOUR_MS),
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
export async function wakeInVain(
  context: EngineContext,
  agent: AgentRecord,
  pending: readonly WakeRow[],
): Promise<Offer | null> {
  if (agent.state !== "SLEEPING") return null;
  const delivered = await context.store.wakes.delivered(agent.id, 2);
  const [wake] = pending;
  // Most wakes are news: only for the others the calls are read.
  if (wake === undefined || !wokenInVain({ pending, delivered })) return null;
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
      startedAt >= since && status === "success" && changes(tool) && !REPORTS.has(tool),
  );
}
