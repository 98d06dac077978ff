import { allowanceOf } from "../core/allowance.ts";
import { turnsUsed } from "../core/events-of-move.ts";
import { limitsFor } from "../core/limits.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Turns } from "../core/run-event.ts";
import type { EngineContext } from "./context.ts";

/** How far the agent is with its turns, for those who watch. */
export function turnsOf(context: Pick<EngineContext, "settingsOf" | "roleOf">, agent: AgentRecord): Turns {
  const settings = context.settingsOf(agent.repositoryId);
  const role = context.roleOf(agent);
  const limits = role === undefined ? settings.limits.defaults : limitsFor(settings, role);
  return turnsUsed(agent.turns, allowanceOf(limits, agent).turns);
}
