import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { createBubblewrapIsolation } from "../../../src/adapters/sandbox/isolation.ts";
import { createStandstill } from "../../../src/adapters/sandbox/standstill.ts";
import type { Isolation } from "../../../src/domain/ports/runner.ts";

const PATH = process.env["PATH"] ?? "";
const bwrap = findBubblewrap(PATH);

/** The isolation that the product has on this machine: by bubblewrap where it is installed. */
export function isolationHere(dataDir: string): Isolation {
  return bwrap === null ? createStandstill(dataDir) : createBubblewrapIsolation({ bwrap, path: PATH });
}
