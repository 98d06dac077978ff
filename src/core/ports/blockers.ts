import type { BlockersRow } from "../blockers.ts";

/** One row an issue at the most, as GitHub was read last. */
export interface BlockersTable {
  get(repositoryId: number, issue: number): Promise<BlockersRow | undefined>;
  put(row: BlockersRow): Promise<void>;
}
