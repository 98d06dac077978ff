import type { AgentRecord } from "../agents/agent-record.ts";
import { mustBeGranted } from "../commands/extension.ts";
import type { OperationFault } from "../commands/operation-fault.ts";

/**
 * Why a word that it may continue is not enough for an agent that a limit stopped; null where it is. What holds such an agent
 * is lifted all the same, so a held one has none.
 */
export function limitFault(
  agent: Pick<AgentRecord, "state" | "sleepReason" | "heldBy" | "breaker" | "extensions" | "turns">,
): OperationFault | null {
  const { breaker } = agent;
  if (breaker === null || agent.heldBy.length > 0) return null;
  if (agent.state === "SLEEPING" && agent.sleepReason === "approval" && breaker === "max_turns")
    return { code: "turn_limit_exceeded", turns: agent.turns };
  if (agent.state === "ESCALATED" && mustBeGranted(agent)) return { code: "budget_exceeded", breaker };
  return null;
}
