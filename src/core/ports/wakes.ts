import type { WakeRow } from "../rows.ts";

/** Reasons to wake an agent, kept until they are delivered. */
export interface WakeTable {
  /** False when the key exists. */
  add(
    wake: Pick<WakeRow, "key" | "agentId" | "reason" | "detail" | "grant" | "dueAt" | "createdAt">,
  ): Promise<boolean>;
  /** Pending ones of one agent, oldest first. */
  pending(agentId: number): Promise<readonly WakeRow[]>;
  /** Pending and due ones of agents SLEEPING or ESCALATED with no `close_session` under way, oldest first; of these agents. */
  due(now: number, agentIds: readonly number[]): Promise<readonly WakeRow[]>;
  /** The agents that have such, in the order in which their oldest came. */
  dueAgents(now: number): Promise<readonly number[]>;
  /** The first agent, in order of id, that is CREATED or sleeps with such a wake, and that nobody holds. Null: anywhere. */
  firstToGo(now: number, repositoryId: number | null): Promise<number | undefined>;
  settle(ids: readonly number[], state: "delivered" | "dropped", at: number): Promise<void>;
  /** The last ones that were delivered to the agent, oldest first. */
  delivered(agentId: number, limit: number): Promise<readonly WakeRow[]>;
}
