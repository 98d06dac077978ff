import { expect, it, onTestFinished } from "vitest";
import { realHarness } from "../adapters/git/real-harness.ts";
import { LEAST, type Operation, RACED, race } from "./git-races.ts";

/** Each of these takes up to a second; a fault in the others may need some dozen rounds to show. */
const SLOW: readonly Operation[] = ["prepare", "rebuild", "bring in", "checkout", "archive"];
/** `many-rounds.test.ts` has more of each. */
const roundsOf = (operation: Operation) => (SLOW.includes(operation) ? 5 : 30);

it.each(RACED)(
  "%s reads, writes, deletes and changes nothing outside while files are exchanged for links",
  { timeout: 660_000 },
  async (operation) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const {
      exchanges,
      answered: _,
      ...outcome
    } = await race(harness, operation, roundsOf(operation), {
      least: LEAST,
    });
    expect(outcome).toEqual({ touched: [], found: [], failed: [] });
    expect(exchanges).toHaveLength(roundsOf(operation));
    expect(Math.min(...exchanges)).toBeGreaterThanOrEqual(LEAST);
  },
);
