import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import type { TransitionRow } from "../core/rows.ts";

/** The move by which it fell asleep; its reason names what it waits for. */
export async function sleptBy(
  store: Pick<Tables, "transitions">,
  agent: AgentRecord,
): Promise<TransitionRow | null> {
  const moves = await store.transitions.ofAgent(agent.id);
  return moves.findLast(({ machine, event }) => machine === "agent" && event === "WAIT") ?? null;
}
