import type { AgentEmission } from "./agent-emission.ts";
import type { AgentRecord } from "./agent-record.ts";

interface Cause {
  readonly at: number;
  readonly actor: string;
}

/** Returns the event that puts the conversation of an agent at rest, with the reason in the agent's record. */
export function restSession(after: AgentRecord, { at, actor }: Cause): AgentEmission {
  const toSession = (type: "REST" | "AWAIT_APPROVAL" | "PAUSE", reason: string): AgentEmission => ({
    machine: "session",
    event: { type, at, actor, reason },
  });
  if (after.heldBy.length > 0 || after.sleepReason === "paused") return toSession("PAUSE", "paused");
  if (after.sleepReason === "approval") return toSession("AWAIT_APPROVAL", "waiting");
  if (after.state === "ESCALATED")
    return toSession("REST", after.breaker === null ? "escalated" : `limit:${after.breaker}`);
  return toSession("REST", after.sleepReason === "blocked" ? "blocked" : "waiting");
}
