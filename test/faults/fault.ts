/** A test: its file from the project's root, and words of its name. */
type Shown = readonly [file: string, name: string];

/** One way in which something outside of the code fails, and the tests that show what comes of it. */
export interface Fault {
  readonly id: string;
  readonly what: string;
  readonly shown: readonly Shown[];
  /** What no test shows here, and why. */
  readonly not?: string;
}
