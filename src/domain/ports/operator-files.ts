import type { OperatorFile } from "../breakers/operator-file.ts";

/** The switches in the data directory. */
export interface OperatorFiles {
  /** Returns those that are there. Looks at names and owners only, and follows no link. Throws where it cannot look. */
  present(): Promise<ReadonlySet<OperatorFile>>;
  /** Removes one; a missing one is fine. */
  remove(file: OperatorFile): Promise<void>;
}
