import type { Move, NewWake } from "../kernel/change-set.ts";
import type { AgentRecord } from "./agent-record.ts";

/** Returns the move that ends an agent because of an event or a command. */
export function cancel(
  event: { at: number; actor: { login: string } },
  agent: AgentRecord,
  why: string,
): Move {
  return {
    machine: "agent",
    id: agent.id,
    event: { type: "CANCEL", at: event.at, actor: event.actor.login, why, quiet: false },
  };
}

/** Returns the wake of an agent by an event or a command; one delivery wakes an agent at most once. */
export function wake(
  event: { at: number; delivery: string },
  agent: AgentRecord,
  reason: NewWake["reason"],
  detail: string,
  grant: NewWake["grant"] = null,
): NewWake {
  return {
    key: `${event.delivery}:${agent.id}`,
    agentId: agent.id,
    reason,
    detail,
    grant,
    dueAt: event.at,
  };
}
