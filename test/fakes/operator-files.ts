import type { OperatorFile } from "../../src/domain/breakers/operator-file.ts";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { OperatorFiles } from "../../src/domain/ports/operator-files.ts";

/** A data directory in which a test creates and removes the operator's files. */
export interface FakeOperatorFiles extends OperatorFiles {
  create(file: OperatorFile): void;
  remove(file: OperatorFile): void;
}

export function createFakeOperatorFiles(clock: Pick<Clock, "now">): FakeOperatorFiles {
  const there = new Map<OperatorFile, number>();
  return {
    create: (file) => void there.set(file, clock.now()),
    remove: (file) => void there.delete(file),
    present: () => Promise.resolve(new Map(there)),
  };
}
