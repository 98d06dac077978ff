import { homedir } from "node:os";
import { describe } from "vitest";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Runner } from "../../src/core/ports/runner.ts";
import { createBubblewrapRunner } from "../../src/sandbox/bubblewrap.ts";
import { findBubblewrap } from "../../src/sandbox/find-bubblewrap.ts";

const found = findBubblewrap(process.env["PATH"] ?? "");

/**
 * For tests that need bubblewrap: without it they are skipped by name, but where FLOTILLA_TESTS_NEED_BUBBLEWRAP says that
 * it must be there, as CI does, they fail.
 */
export const describeConfined =
  found !== null || process.env["FLOTILLA_TESTS_NEED_BUBBLEWRAP"] === "1" ? describe : describe.skip;

/** A runner that confines as the product's does, with nothing of a data directory. */
export function confinedRunner(clock: Clock): Runner {
  return createBubblewrapRunner({
    clock,
    bwrap: found ?? "/usr/bin/bwrap",
    hidden: [homedir()],
    gitOf: () => null,
  });
}
