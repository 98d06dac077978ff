import type { DecisionRule } from "../decisions/rules.ts";
import type { NewDecision } from "../kernel/change-set.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

/** A start or a wake that the agent's machine is asked for; what it refuses leaves its own decision. */
export interface Offered {
  readonly offer: "made";
  readonly agent: AgentRecord;
  readonly event: AgentEvent;
}

/** A start or a wake that is not even tried, with the decision that says why and what would change it. */
export interface Declined {
  readonly offer: "declined";
  readonly agent: AgentRecord;
  readonly decision: NewDecision & { readonly change: string };
}

/**
 * What becomes of an agent that waits to start or to wake. Dispatch writes nothing but this, so that a path on which
 * nothing happens and nothing is recorded does not compile.
 */
export type Offer = Offered | Declined;

export function offered(agent: AgentRecord, event: AgentEvent): Offered {
  return { offer: "made", agent, event };
}

/** `change` = what would change it, in words. */
export function declined(
  agent: AgentRecord,
  decision: {
    readonly rule: DecisionRule;
    readonly reason: string;
    readonly change: string;
    readonly inputs: Readonly<Record<string, unknown>>;
  },
): Declined {
  return { offer: "declined", agent, decision: { ...decision, agentId: agent.id } };
}
