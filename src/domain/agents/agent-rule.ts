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

/** Refuses a move to ACTIVE with what holds the agent: its own holders, and what holds its scope. */
export function holdOn(agent: AgentRecord, around: GuardContext): GuardRefusal | null {
  const holds = holdsOf(agent, around.held);
  if (holds.length === 0) return null;
  return { ...no("held", holdText(holds), true), change: holdEnds(holds) };
}

/** Checks what every move to ACTIVE needs: a free slot, no hold, room on this machine, budget left, a model that answers. */
export function checkAdmission(agent: AgentRecord, around: GuardContext): true | GuardRefusal {
  const hold = holdOn(agent, around);
  if (hold !== null) return hold;
  if (around.slot !== true) return no("slot", around.slot, true);
  const { room, budget } = around;
  if (room !== true) return { ...no("room", room.reason, true), change: room.change };
  if (budget !== true) return { ...no("budget", budget.reason, true), change: budget.change };
  if (around.provider !== true) return no("provider", around.provider, true);
  return true;
}

/** Adds the period of activity that ends now to the total. */
export function endPeriod(agent: AgentRecord, at: number): Partial<AgentRecord> {
  return {
    activeSince: null,
    leaseUntil: null,
    activeMs: agent.activeMs + (agent.activeSince === null ? 0 : Math.max(0, at - agent.activeSince)),
  };
}

/** Resumes a paused run first, because a paused run accepts no failure. */
export function unpaused(event: {
  readonly at: number;
  readonly actor: string;
  readonly around: GuardContext;
}): readonly AgentEmission[] {
  const { at, actor, around } = event;
  return around.run === "paused" ? [{ machine: "run", event: { type: "RESUME", at, actor } }] : [];
}

/** Returns the fields of a sleep: the period ends, the reason and its due time are set. */
export function asleep(
  agent: AgentRecord,
  at: number,
  reason: NonNullable<AgentRecord["sleepReason"]>,
  dueAt: number | null = null,
): Partial<AgentRecord> {
  return { ...endPeriod(agent, at), sleepReason: reason, sleepingSince: at, reminders: 0, dueAt };
}

/** Returns the fields of a wake: a new period begins under a new fencing token. */
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
