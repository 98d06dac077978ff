import type { BlockersRow, IssueRef } from "../blockers.ts";

/** One row an issue at the most, as GitHub was read last. */
export interface BlockersTable {
  get(repositoryId: number, issue: number): Promise<BlockersRow | undefined>;
  /** Those among whose blockers the issue is, open or closed. */
  blocking(blocker: IssueRef): Promise<readonly BlockersRow[]>;
  /** Ids of the agents of that repository that reported it as what they wait for, in order; ended ones among them. */
  reportedBy(repositoryId: number, number: number): Promise<readonly number[]>;
  put(row: BlockersRow): Promise<void>;
}
