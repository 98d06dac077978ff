import { wake } from "../../domain/agents/agent-changes.ts";
import { isLive } from "../../domain/agents/agent-record.ts";
import { holdEnds, holdsOf } from "../../domain/breakers/hold.ts";
import { grantFor } from "../../domain/commands/extension-of.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { holdsAround } from "../status/holds-around.ts";
import { type OperatorAct, operatorMessage } from "./operator-act.ts";
import { reach } from "./reach.ts";
import { type ActedOn, after, invalidState, move, steering } from "./steer.ts";

/**
 * Carries out `/flotilla continue` for one agent at its turn limit: grants its role's turns again. Throws
 * `OperationError`.
 */
export async function continueOn(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  const atLimit = agent.state === "SLEEPING" && agent.sleepReason === "approval" && agent.breaker !== null;
  if (!atLimit) throw invalidState(agent, "continue");
  const holds = holdsOf(agent, await holdsAround(context, context.store, agent));
  if (holds.length > 0)
    throw new OperationError({ code: "held", agent: agent.name, holds, hint: holdEnds(holds) });
  const grant = grantFor(agent, null, context.settings, act.by);
  const { at, act: delivery } = steering(context, act);
  const words =
    act.reason === null ? operatorMessage("continue") : `${operatorMessage("continue")}\n\n${act.reason}`;
  const said = wake({ at, delivery }, agent, "approval", words, grant);
  await move(context, { act, agent }, { wakes: [said] }, "continue");
  return after(context, agent);
}

/**
 * Carries out `/flotilla complete` for one agent: accepts what it has done as complete. Throws
 * `OperationError`.
 */
export async function complete(context: EngineContext, act: OperatorAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  if (!isLive(agent)) throw invalidState(agent, "complete");
  const { at, actor } = steering(context, act);
  const event = {
    type: "COMPLETE",
    at,
    actor,
    cause: "person",
    summary: `${act.by} declared it complete.`,
  } as const;
  await move(context, { act, agent }, { moves: [{ machine: "agent", id: agent.id, event }] }, "complete");
  return after(context, agent);
}
