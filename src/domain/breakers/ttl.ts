import type { AgentEvent } from "../agents/agent-event.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { printDuration } from "../settings/duration.ts";

/**
 * Returns the end of an agent whose time to live is over, its conversation as `ttl_expired`; null while it may
 * continue.
 */
export function ttlEvent(agent: AgentRecord, at: number): AgentEvent | null {
  if (agent.ttlMs === null || !isLive(agent) || at < agent.createdAt + agent.ttlMs) return null;
  return {
    type: "CANCEL",
    at,
    actor: "flotilla",
    why: `its time to live of ${exactly(agent.ttlMs)} is over`,
    quiet: false,
    session: "ttl_expired",
  };
}

/** Returns a duration as it was set: `8 h`, `100 s`. */
function exactly(ms: number): string {
  return printDuration(ms).replace(/\D+$/, (unit) => ` ${unit === "m" ? "min" : unit}`);
}
