import { holdEnds, holdsOf, holdText } from "../breakers/hold.ts";
import type { Effect } from "../kernel/effect.ts";
import { type GuardRefusal, no, type Rule, ruleMaker } from "../kernel/state-machine.ts";
import type { AgentEmission } from "./agent-emission.ts";
import type { GuardContext, ResolvedAgentEvent } from "./agent-event.ts";
import type { AgentRecord, AgentState } from "./agent-record.ts";

export type AgentRule = Rule<AgentState, AgentRecord, ResolvedAgentEvent, Effect, AgentEmission>;

export const rule: ReturnType<
  typeof ruleMaker<AgentState, AgentRecord, ResolvedAgentEvent, Effect, AgentEmission>
> = ruleMaker();

/** Refuses a move to ACTIVE with what holds it: its own holders, and what holds everything around it. */
export function holdOn(agent: AgentRecord, around: GuardContext): GuardRefusal | null {
  const holds = holdsOf(agent, around.held);
  if (holds.length === 0) return null;
  return { ...no("held", holdText(holds), true), change: holdEnds(holds) };
}

/** Free slot, not held, budget left, a model that answers: what every move to ACTIVE needs. */
export function admitted(agent: AgentRecord, around: GuardContext): true | GuardRefusal {
  const hold = holdOn(agent, around);
  if (hold !== null) return hold;
  if (around.slot !== true) return no("slot", around.slot, true);
  const { budget } = around;
  if (budget !== true) return { ...no("budget", budget.reason, true), change: budget.change };
  if (around.provider !== true) return no("provider", around.provider, true);
  return true;
}

/** Returns the period of activity that ends now joins the total. */
export function endPeriod(agent: AgentRecord, at: number): Partial<AgentRecord> {
  return {
    activeSince: null,
    leaseUntil: null,
    activeMs: agent.activeMs + (agent.activeSince === null ? 0 : Math.max(0, at - agent.activeSince)),
  };
}

/** A paused run takes no failure: it goes back to where it was first. */
export function unpaused(event: {
  readonly at: number;
  readonly actor: string;
  readonly around: GuardContext;
}): readonly AgentEmission[] {
  const { at, actor, around } = event;
  return around.run === "paused" ? [{ machine: "run", event: { type: "RESUME", at, actor } }] : [];
}

/** Sleep: the period ends, the reason and its due time stand. */
export function asleep(
  agent: AgentRecord,
  at: number,
  reason: NonNullable<AgentRecord["sleepReason"]>,
  dueAt: number | null = null,
): Partial<AgentRecord> {
  return { ...endPeriod(agent, at), sleepReason: reason, sleepingSince: at, reminders: 0, dueAt };
}

/** Awake: a new period under a new fencing token. */
export function awake(
  agent: AgentRecord,
  event: { at: number; sessionId: string; leaseUntil: number; around: Pick<GuardContext, "node"> },
): Partial<AgentRecord> {
  return {
    activeSince: event.at,
    lastActivityAt: event.at,
    sleepingSince: null,
    sleepReason: null,
    dueAt: null,
    blockedBy: [],
    blockedElsewhere: [],
    nudges: 0,
    sessionId: event.sessionId,
    sessionCount: event.sessionId === agent.sessionId ? agent.sessionCount : agent.sessionCount + 1,
    leaseUntil: event.leaseUntil,
    node: event.around.node,
    token: agent.token + 1,
  };
}
