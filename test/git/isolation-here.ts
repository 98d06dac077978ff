import type { Isolation } from "../../src/core/ports/isolation.ts";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";
import { createBubblewrapIsolation } from "../../src/sandbox/isolation.ts";
import { createStandstill } from "../../src/sandbox/standstill.ts";

const PATH = process.env["PATH"] ?? "";
const bwrap = findBubblewrap(PATH);

/** The isolation that the product has on this machine: by bubblewrap where it is installed. */
export function isolationHere(dataDir: string): Isolation {
  return bwrap === null ? createStandstill(dataDir) : createBubblewrapIsolation({ bwrap, path: PATH });
}
