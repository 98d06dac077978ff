import type { RunEventRow, ToolCallRow } from "../rows.ts";

export interface ToolCallTable {
  start(call: {
    agentId: number;
    toolCallId: string;
    tool: string;
    input: string;
    turn: number;
    at: number;
  }): Promise<void>;
  /** Of the calls of that name the oldest that runs; undefined when none does: the first end counts. */
  end(call: {
    agentId: number;
    toolCallId: string;
    status: "success" | "failure" | "denied";
    output: string;
    at: number;
  }): Promise<ToolCallRow | undefined>;
  /** Every call that still runs, of one agent or of all, has been cut off. Returns them as they are now. */
  interrupt(of: { agentId: number | null; at: number }): Promise<readonly ToolCallRow[]>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly ToolCallRow[]>;
}

export interface RunEventTable {
  /** `runId` is the agent's latest run. */
  add(row: Omit<RunEventRow, "id" | "runId" | "turn">): Promise<void>;
  /** Rows with an id above `id`, oldest first; of one agent when given. */
  after(id: number, options: { limit: number; agentId: number | null }): Promise<readonly RunEventRow[]>;
  /** The highest id ever given; 0 when there was none. */
  latest(): Promise<number>;
  /**
   * Deletes pieces of speech that are older than `before`, and all but the latest `keep` of each agent; at most `limit`
   * at once. Returns how many.
   */
  pruneTokens(options: { before: number; keep: number; limit: number }): Promise<number>;
}

export interface UsageTable {
  add(usage: {
    agentId: number;
    model: string;
    inputTokens: number;
    outputTokens: number;
    cachedTokens: number;
    costMicroUsd: number;
    at: number;
  }): Promise<void>;
}

/** Limits of a repository and day. Days are counted from the epoch, in UTC. */
export interface DayBudgetTable {
  /** Micro-dollars. */
  spent(repositoryId: number, day: number): Promise<number>;
  /** Agents that went from CREATED to ACTIVE. */
  startedSince(repositoryId: number, since: number): Promise<number>;
  grant(grant: {
    repositoryId: number;
    day: number;
    costMicroUsd: number;
    agents: number;
    grantedBy: string;
    issue: number;
    at: number;
  }): Promise<void>;
  /** The sum of all grants for the day. */
  granted(repositoryId: number, day: number): Promise<{ costMicroUsd: number; agents: number }>;
}
