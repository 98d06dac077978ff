import { homedir } from "node:os";
import { describe } from "vitest";
import { createBubblewrapRunner, type SandboxHost } from "../../../src/adapters/sandbox/bubblewrap.ts";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import type { Runner } from "../../../src/domain/ports/runner.ts";

const found = findBubblewrap(process.env["PATH"] ?? "");

/** True where bubblewrap is installed, and where it must be. */
export const BUBBLEWRAP_IS_HERE = found !== null || process.env["FLOTILLA_TESTS_NEED_BUBBLEWRAP"] === "1";

/**
 * For tests that need bubblewrap: without it they are skipped by name, but where FLOTILLA_TESTS_NEED_BUBBLEWRAP says that
 * it must be there, as CI does, they fail.
 */
export const describeConfined = BUBBLEWRAP_IS_HERE ? describe : describe.skip;

const noWayOut = () => Promise.reject(new Error("there is no way out in this test"));

/** A runner that confines as the product's does, with nothing of a data directory unless it is `given`. */
export function confinedRunner(clock: Clock, given: Partial<SandboxHost> = {}): Runner {
  return createBubblewrapRunner({
    clock,
    bwrap: found ?? "/usr/bin/bwrap",
    hidden: [homedir()],
    egress: { directoryFor: noWayOut, open: noWayOut },
    registries: [],
    gitOf: () => null,
    ...given,
  });
}
