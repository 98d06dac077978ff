/** `full` produces figures. `small` checks within seconds that the bench still runs; its figures mean nothing. */
export type Size = "full" | "small";

/** A figure of ours and its reference, measured in the same run, alternately if possible. */
export interface Row {
  readonly what: string;
  /** The unit of all its figures: `ms`, `MB`, `per second`, `characters`. */
  readonly unit: string;
  /** One value per round; never empty. */
  readonly ours: readonly number[];
  readonly reference: { readonly name: string; readonly rounds: readonly number[] };
}

/**
 * A part of `npm run bench`, selected with `--only name`. Leaves no files and no processes behind, even if it throws.
 */
export interface Bench {
  readonly name: string;
  /** What is measured, and the reference; one line. */
  readonly about: string;
  run(size: Size): Promise<readonly Row[]>;
}
