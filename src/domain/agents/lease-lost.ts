import { GRACEFUL_PAUSE_MS } from "../kernel/backoff.ts";
import type { AgentEvent } from "./agent-event.ts";

/**
 * An ACTIVE agent whose lease is over comes back soon and is not counted as crashed: a lease is lost by its host. What
 * loses it again and again is bounded by its active time and its turns. Sources: the lifecycles, how a session ends and
 * 'agent lease lost'.
 */
export function leaseLost(at: number): Extract<AgentEvent, { type: "WAIT" }> {
  return {
    type: "WAIT",
    at,
    actor: "flotilla",
    reason: "retry",
    dueAt: at + GRACEFUL_PAUSE_MS,
    crash: false,
    leaseLost: true,
    breaker: null,
    detail: "it lost its lease without a sign of life",
    code: "lease_lost",
  };
}
