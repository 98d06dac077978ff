import { printDuration } from "./duration.ts";
import type { AgentWish } from "./machines/agent-event.ts";
import { type AgentRecord, isLive } from "./machines/agent-record.ts";

/** An agent whose time to live is over ends, and its conversation as `ttl_expired`; null while it may continue. */
export function ttlWish(agent: AgentRecord, at: number): AgentWish | null {
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

/** `8 h`, `100 s`: as it was set. */
function exactly(ms: number): string {
  return printDuration(ms).replace(/\D+$/, (unit) => ` ${unit === "m" ? "min" : unit}`);
}
