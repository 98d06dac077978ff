import type { ArchiveRow } from "../archive.ts";

/** One row for each agent that has ended and whose worktree went. */
export interface ArchiveTable {
  /** In place of the one before. */
  put(row: ArchiveRow): Promise<void>;
  /** In order of the agents' ids. */
  ofAgents(agentIds: readonly number[]): Promise<readonly ArchiveRow[]>;
  /** Not removed yet, and expired at that time; the oldest first, at most 50. */
  due(now: number): Promise<readonly ArchiveRow[]>;
  removed(agentId: number, at: number): Promise<void>;
  /** Agents that have ended and still have a worktree, with no effect of theirs under way. In order of id, at most 50. */
  left(): Promise<readonly number[]>;
}
