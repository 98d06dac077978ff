import type { IntentRow } from "../rows.ts";

/** What agents reported, until it is applied or refused. */
export interface IntentTable {
  /** The first of an exchange wins: undefined when the agent has a recorded one already. */
  add(
    intent: Pick<IntentRow, "agentId" | "token" | "kind" | "payload" | "commit" | "createdAt">,
  ): Promise<IntentRow | undefined>;
  recorded(agentId: number): Promise<IntentRow | undefined>;
  /** The last one that was applied and tells what was done: a claim of completion or a request for a review. */
  lastReport(agentId: number): Promise<IntentRow | undefined>;
  settle(id: number, state: "applied" | "refused", reason: string | null): Promise<void>;
}
