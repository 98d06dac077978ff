import type { AgentRecord } from "../agents/agent-record.ts";
import { mustBeGranted } from "../commands/extension.ts";
import type { OperationFault } from "../commands/operation-fault.ts";

/**
 * Returns why `resume` is not enough for an agent that a limit stopped; null where it is. Null for a held agent too,
 * since a resume removes the hold.
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
