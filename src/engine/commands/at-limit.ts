import { wake } from "../../domain/agents/agent-changes.ts";
import { type AgentRecord, type Grant, isLive } from "../../domain/agents/agent-record.ts";
import { holdEnds, holdsOf } from "../../domain/breakers/hold.ts";
import { grantFor, overCeiling, withCause } from "../../domain/commands/extension-of.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { raiseOf, readRaise } from "../../domain/commands/raise-of.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { personNamed } from "../../domain/status/person-named.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { holdsAround } from "../status/holds-around.ts";
import { type OperatorAct, operatorMessage } from "./operator-act.ts";
import { reach } from "./reach.ts";
import { type ActedOn, after, invalidState, move, steering } from "./steer.ts";

/** `amount` = what to grant, such as `+$5`, `30 min` or `20`, in the unit of the limit unless it names one. */
export interface ContinueAct extends OperatorAct {
  readonly amount?: string | null;
}

/**
 * Carries out `/flotilla continue`, or `/flotilla budget` where an amount is given, for one agent that a limit or an
 * escalation stopped. Without an amount it grants its role's turns again, or half of another limit. Throws
 * `OperationError`.
 */
export async function continueOn(context: EngineContext, act: ContinueAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  if (!canContinue(agent)) throw invalidState(agent, "continue");
  const holds = holdsOf(agent, await holdsAround(context, context.store, agent));
  if (holds.length > 0)
    throw new OperationError({ code: "held", agent: agent.name, holds, hint: holdEnds(holds) });
  const grant = grantOf(context, act, agent);
  const { at, act: delivery } = steering(context, act);
  const said = operatorMessage(act, "continue");
  const words = withCause(agent, act.reason === null ? said : `${said}\n\n${act.reason}`);
  await move(
    context,
    { act, agent, guard: (tables) => continuesOnce(tables, agent) },
    { wakes: [wake({ at, delivery }, agent, "approval", words, grant)] },
    "continue",
  );
  return after(context, agent);
}

function canContinue({ state, sleepReason, breaker }: AgentRecord): boolean {
  return state === "ESCALATED" || (state === "SLEEPING" && sleepReason === "approval" && breaker !== null);
}

/** Refuses a second grant for the same stop: of several requests at once, one raises the limit. */
async function continuesOnce({ records, wakes }: Tables, { id, name }: AgentRecord): Promise<void> {
  const agent = await records.get("agent", id);
  if (agent === undefined || !canContinue(agent))
    throw new OperationError({ code: "stale_snapshot", machine: "agent" });
  const pending = (await wakes.pending(id)).find(({ grant }) => grant !== null);
  if (pending === undefined) return;
  const by = personNamed(pending.grant?.by.at(-1) ?? "flotilla");
  throw new OperationError({
    code: "not_steered",
    why: `${name} continues already: ${by} has raised its limit`,
    hint: "wait until it stops again, then grant more",
  });
}

function grantOf({ settings }: EngineContext, { amount, by }: ContinueAct, agent: AgentRecord): Grant | null {
  if (amount == null) return grantFor(agent, null, settings, by);
  const amounts = readRaise(amount);
  const raised = "fault" in amounts ? amounts : raiseOf(agent, amounts, by);
  if ("fault" in raised) {
    const { rule, reason, advice } = raised.fault;
    throw new OperationError({ code: "policy_denied", rule, reason, hint: advice });
  }
  const [refused] = overCeiling(raised.grant, settings)?.decisions ?? [];
  if (refused === undefined) return raised.grant;
  const { rule, reason, change } = refused;
  throw new OperationError({ code: "policy_denied", rule, reason, hint: change ?? "grant less" });
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
