import type { AgentEvent } from "../agents/agent-event.ts";
import { oneLine } from "../messages/format.ts";

/** Returns the move of a coder whose work is reviewed: it sleeps, its slot is free, and its task is up for review. */
export function waitForReview({
  at,
  actor,
  summary,
}: {
  readonly at: number;
  readonly actor: string;
  readonly summary: string;
}): AgentEvent {
  return {
    at,
    actor,
    type: "WAIT",
    reason: "review",
    dueAt: null,
    crash: false,
    breaker: null,
    detail: oneLine(summary),
  };
}
