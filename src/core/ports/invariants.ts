/** Rows that break one rule of the lifecycles. */
export interface Violation {
  readonly rule: string;
  readonly table: "agent" | "task" | "effect";
  readonly ids: readonly number[];
}

export interface Invariants {
  /** Every violation, with the ids of its rows; for `now` in milliseconds since the epoch. Changes nothing. */
  checkInvariants(now: number): Promise<readonly Violation[]>;
}
