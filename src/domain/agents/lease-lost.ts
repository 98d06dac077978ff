import { GRACEFUL_PAUSE_MS } from "../kernel/backoff.ts";
import type { AgentEvent } from "./agent-event.ts";

/**
 * Returns the event for an ACTIVE agent whose lease has expired. The agent retries soon, and no crash is counted,
 * because the host lost the lease. The agent's limits of active time and turns bound how often this can happen.
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
