import type { AgentEmission } from "./agent-emission.ts";
import type { AgentRecord } from "./agent-record.ts";

interface Cause {
  readonly at: number;
  readonly actor: string;
}

/** Returns the event that puts the conversation of an agent at rest, with the reason in the agent's record. */
export function rests(after: AgentRecord, { at, actor }: Cause): AgentEmission {
  const told = (type: "REST" | "AWAIT_APPROVAL" | "PAUSE", reason: string): AgentEmission => ({
    machine: "session",
    event: { type, at, actor, reason },
  });
  if (after.heldBy.length > 0 || after.sleepReason === "paused") return told("PAUSE", "paused");
  if (after.sleepReason === "approval") return told("AWAIT_APPROVAL", "waiting");
  if (after.state === "ESCALATED")
    return told("REST", after.breaker === null ? "escalated" : `limit:${after.breaker}`);
  return told("REST", after.sleepReason === "blocked" ? "blocked" : "waiting");
}
