/** What is kept for a time of its own: a key of the configuration's section `retention`. */
export type KeptKind =
  | "deliveries"
  | "runEvents"
  | "toolCalls"
  | "decisions"
  | "transitions"
  | "effects"
  | "details"
  | "records";

/** A walk through one table, from its oldest row on. */
export interface RetentionWalk {
  readonly table: string;
  readonly kind: KeptKind;
}

/** What of ended work goes when its time is over. Rows of an issue where anybody lives are never touched. */
export interface RetentionTable {
  readonly walks: readonly RetentionWalk[];
  /**
   * Looks at the next `limit` rows behind the row `from` and deletes those that are older than `before` (ms since the
   * epoch) and belong to work that ended before then. Resolves with the row that it came to; null at the first row that
   * is younger, or at the end.
   */
  sweep(
    walk: RetentionWalk,
    options: { readonly from: number; readonly before: number; readonly limit: number },
  ): Promise<{ readonly to: number | null; readonly deleted: number }>;
}
