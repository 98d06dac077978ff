import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { Turns } from "../../domain/kernel/run-event.ts";
import { turnsUsed } from "../../domain/kernel/run-events-of-transition.ts";
import type { EngineContext } from "./engine-context.ts";

/** Returns the agent's used and allowed turns, for live viewers. */
export function turnsOf(context: Pick<EngineContext, "settingsOf" | "roleOf">, agent: AgentRecord): Turns {
  const settings = context.settingsOf(agent.repositoryId);
  const role = context.roleOf(agent);
  const limits = role === undefined ? settings.limits.defaults : limitsFor(settings, role);
  return turnsUsed(agent.turns, allowanceOf(limits, agent).turns);
}
