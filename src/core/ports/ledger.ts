import type { LedgerRows } from "../ledger/postings.ts";
import type { Touch } from "../ledger/touch.ts";

/** A part of all work: a repository, or some of its issues. */
export interface LedgerPart {
  readonly repositoryId: number;
  /** Null for all issues. */
  readonly issues: readonly number[] | null;
}

/** What the work cost, and what people had to do for it. */
export interface LedgerTable {
  /** Ignored when the repository has one of this key. */
  touch(touch: Touch): Promise<void>;
  /**
   * All that happened at `since` or later, in milliseconds since the epoch; of all work with null. Each slice has a few
   * issues, whole and with all of their agents, or nothing, so that the event loop can run between any two.
   */
  slices(since: number, part: LedgerPart | null): AsyncIterable<LedgerRows>;
}
