/** How far the webhooks that GitHub sent have been looked through. */
export interface SweepTable {
  /** Milliseconds since the epoch; null when there was no sweep yet. */
  last(): Promise<number | null>;
  done(at: number): Promise<void>;
}
