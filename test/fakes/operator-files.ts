import type { OperatorFile } from "../../src/domain/breakers/operator-file.ts";
import type { OperatorFiles } from "../../src/domain/ports/operator-files.ts";

/** A data directory in which a test creates the operator's files. */
export interface FakeOperatorFiles extends OperatorFiles {
  readonly there: Set<OperatorFile>;
  /** How often they were looked for. */
  looks: number;
}

export function createFakeOperatorFiles(): FakeOperatorFiles {
  const files: FakeOperatorFiles = {
    there: new Set(),
    looks: 0,
    present: () => {
      files.looks += 1;
      return Promise.resolve(new Set(files.there));
    },
    remove: (file) => {
      files.there.delete(file);
      return Promise.resolve();
    },
  };
  return files;
}
