import type { DecisionRule } from "../decisions/rules.ts";
import type { NewDecision } from "../kernel/change-set.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

/** A start or a wake that is passed to the agent's machine, which records its own decision when it refuses. */
export interface Offered {
  readonly offer: "made";
  readonly agent: AgentRecord;
  readonly event: AgentEvent;
}

/** A start or a wake that is not tried, with the decision that says why and what would change it. */
export interface Declined {
  readonly offer: "declined";
  readonly agent: AgentRecord;
  readonly decision: NewDecision & { readonly change: string };
}

/**
 * What dispatch does with an agent that waits to start or to wake. Dispatch writes nothing else, so a path without an
 * action and without a decision does not compile.
 */
export type Offer = Offered | Declined;

export function makeOffer(agent: AgentRecord, event: AgentEvent): Offered {
  return { offer: "made", agent, event };
}

/** Why an agent is not offered anything. */
export interface Reason {
  readonly rule: DecisionRule;
  readonly reason: string;
  /** What would change the decision, in words. */
  readonly change: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export function declineOffer(agent: AgentRecord, decision: Reason): Declined {
  return { offer: "declined", agent, decision: { ...decision, agentId: agent.id } };
}

/** Says that no agent can start for want of a slot; `limit` is `runtime.max_concurrent_agents`. */
export const noSlotText = (limit: number): string =>
  limit === 1 ? "the only slot is in use" : `all ${limit} slots are in use`;
