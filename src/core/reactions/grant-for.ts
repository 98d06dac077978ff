import { NO_GRANT, unitOf } from "../grant.ts";
import { limitsFor } from "../limits.ts";
import type { Grant } from "../machines/agent-event.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import type { Settings } from "../settings.ts";

/**
 * `continue [n]` grants n turns, by default the role's. After another limit n is meant in its unit where that is counted
 * in pieces; without n, or where it is not, nothing is granted and half of the limit is given again.
 */
export function grantFor(
  agent: AgentRecord,
  given: number | null,
  settings: Settings,
  by: string,
): Grant | null {
  const unit = agent.breaker === null ? "turns" : unitOf(agent.breaker);
  if (unit === "turns") {
    const role = settings.roles.get(agent.role);
    const limits = role === undefined ? settings.limits.defaults : limitsFor(settings, role);
    return { ...NO_GRANT, by: [by], turns: given ?? limits.maxTurns };
  }
  if (given === null || (unit !== "toolCalls" && unit !== "wakes")) return null;
  return { ...NO_GRANT, by: [by], [unit]: given };
}
