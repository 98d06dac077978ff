import type { ResolvedAgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord, Grant } from "../../domain/agents/agent-record.ts";
import { halfOf } from "../../domain/commands/extension.ts";

/**
 * Returns what this move added to the agent's limits, and who added it, for the transition row; null for no
 * addition.
 */
export function grantEvidence(before: AgentRecord | undefined, event: ResolvedAgentEvent): unknown {
  if (event.type !== "WAKE" && event.type !== "RESUME") return null;
  if (event.grant !== null) return { granted: amounts(event.grant), by: event.grant.by };
  if (event.type === "WAKE" || before?.state !== "ESCALATED" || before.breaker === null) return null;
  return { extended: amounts(halfOf(before.breaker, event.around.limits)) };
}

function amounts(grant: Grant): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(grant).filter(([unit, amount]) => unit !== "by" && amount !== 0));
}
