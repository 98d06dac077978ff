import type { AgentWish } from "./machines/agent-event.ts";
import { type AgentRecord, isLive } from "./machines/agent-record.ts";
import { duration } from "./text/messages.ts";

/** An agent whose time to live is over ends, and its conversation as `ttl_expired`; null while it may go on. */
export function ttlWish(agent: AgentRecord, at: number): AgentWish | null {
  if (agent.ttlMs === null || !isLive(agent) || at < agent.createdAt + agent.ttlMs) return null;
  return {
    type: "CANCEL",
    at,
    actor: "flotilla",
    why: `its time to live of ${duration(agent.ttlMs)} is over`,
    quiet: false,
    session: "ttl_expired",
  };
}
