import type { OperatorFile } from "../breakers/operator-file.ts";

/** The switches in the data directory. */
export interface OperatorFiles {
  /**
   * Returns those that are there, each with the time since when, in milliseconds since the epoch. Looks at names, owners
   * and times only, and follows no link. Throws where it cannot look.
   */
  present(): Promise<ReadonlyMap<OperatorFile, number>>;
}
