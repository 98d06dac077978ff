import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** Returns whether the agent is still ACTIVE in the period that `holder` was read in. */
export async function isHolder(
  { records }: Pick<Tables, "records">,
  { id, token }: Pick<AgentRecord, "id" | "token">,
): Promise<boolean> {
  const agent = await records.get("agent", id);
  return agent?.state === "ACTIVE" && agent.token === token;
}

/** The answer to a call of an agent that no longer works in the period of the call. */
export const PERIOD_OVER = {
  allow: false,
  reason: "Your period is over; nothing more is done.",
  endExchange: true,
} as const;
