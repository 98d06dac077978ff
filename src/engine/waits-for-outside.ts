import { messageOf, type OutsideError } from "../core/errors.ts";

/** Pause after a failure of GitHub's or git's that will pass. */
const OUTSIDE_PAUSE_MS = 30_000;

/**
 * How an agent waits while GitHub or git cannot serve it; counted nowhere. A limit, whose end is known, is nobody's
 * failure: no incident comes of it, however many agents meet it at once. `at` in milliseconds since the epoch.
 */
export function waitsForOutside(error: OutsideError, at: number) {
  return {
    type: "WAIT" as const,
    at,
    actor: "flotilla",
    reason: error.consequence === "park" ? ("provider_limit" as const) : ("retry" as const),
    dueAt: error.retryAt ?? at + OUTSIDE_PAUSE_MS,
    crash: false,
    breaker: null,
    detail: messageOf(error),
  };
}
