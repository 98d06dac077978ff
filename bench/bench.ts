/** `full` gives figures; `small` shows in a second or a few that all of it still runs, and its figures mean nothing. */
export type Size = "full" | "small";

/** One figure of ours beside what it is held against, measured in the same run, by turns where that can be. */
export interface Row {
  readonly what: string;
  /** Of all its figures: `ms`, `MB`, `per second`. */
  readonly unit: string;
  /** Of each round; never empty. */
  readonly ours: readonly number[];
  readonly reference: { readonly name: string; readonly rounds: readonly number[] };
}

/** A part of `npm run bench`, chosen by `--only name`. Leaves no file and no process behind, also when it throws. */
export interface Bench {
  readonly name: string;
  /** What is measured, and against what; one line. */
  readonly about: string;
  run(size: Size): Promise<readonly Row[]>;
}
