import type { LedgerRows } from "../ledger/postings.ts";
import type { Touch } from "../ledger/touch.ts";

/** What the work cost, and what people had to do for it. */
export interface LedgerTable {
  /** Ignored when the repository has one of this key. */
  touch(touch: Touch): Promise<void>;
  /** All that happened at `since` or later, in milliseconds since the epoch; agents whole. */
  rows(since: number): Promise<LedgerRows>;
}
