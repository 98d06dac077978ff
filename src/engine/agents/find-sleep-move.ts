import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { TransitionRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** Returns the move by which the agent fell asleep; its reason names what the agent waits for. */
export async function findSleepMove(
  store: Pick<Tables, "transitions">,
  agent: AgentRecord,
): Promise<TransitionRow | null> {
  const moves = await store.transitions.ofAgent(agent.id);
  return moves.findLast(({ machine, event }) => machine === "agent" && event === "WAIT") ?? null;
}
