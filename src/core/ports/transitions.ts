import type { TransitionRow } from "../rows.ts";

/** The moves of all machines. */
export interface TransitionTable {
  add(row: Omit<TransitionRow, "id">): Promise<void>;
  /** Oldest first. */
  ofAgent(agentId: number): Promise<readonly TransitionRow[]>;
  /** The latest ones of the issue's agents and task, at most `limit`, the oldest of them first. */
  ofIssue(repositoryId: number, issue: number, limit: number): Promise<readonly TransitionRow[]>;
  /** Agents' moves since then by which they failed, may have failed, or asked for a person. Oldest first. */
  failures(since: number): Promise<readonly TransitionRow[]>;
  /** How many agents of the issue have started since then. */
  starts(repositoryId: number, issue: number, since: number): Promise<number>;
  /** Rows with an id above `id`, oldest first. */
  after(id: number, limit: number): Promise<readonly TransitionRow[]>;
}
