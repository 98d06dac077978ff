import { afterExchange } from "../core/exchange.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";

/** What follows when an agent's process died, or driving it did: another try after a while, or the end. */
export function crashed(agent: AgentRecord, at: number, detail: string, maxRestarts: number) {
  const decision = afterExchange({
    at,
    agent,
    end: { kind: "runtime_died", detail },
    intent: null,
    blocker: null,
    breaker: null,
    wrapUp: null,
    room: false,
    pending: false,
    maxRestarts,
    providerAt: at,
    idleSince: at,
    used: "",
  });
  return decision.next === "move" ? decision.event : null;
}
