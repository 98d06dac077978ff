import { expect, it, onTestFinished } from "vitest";
import { realHarness } from "../adapters/git/real-harness.ts";
import { type Operation, RACED, race } from "./git-races.ts";

/** Each of these takes up to a second; a fault in the others may need some dozen rounds to show. */
const SLOW: readonly Operation[] = ["prepare", "rebuild", "bring in", "checkout", "archive"];
const roundsOf = (operation: Operation) =>
  // More show more: RACES=200 takes some minutes for each operation.
  Number(process.env["RACES"] ?? (SLOW.includes(operation) ? 5 : 30));
/** A round without exchanges while the operation runs shows nothing. */
const LEAST = 100;

it.each(RACED)(
  "%s reads, writes, deletes and changes nothing outside while files are exchanged for links",
  { timeout: 660_000 },
  async (operation) => {
    const rounds = roundsOf(operation);
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const { exchanges, answered, ...outcome } = await race(harness, operation, rounds, { least: LEAST });
    expect(outcome).toEqual({ touched: [], found: [], failed: [] });
    const least = Math.min(...exchanges);
    if (process.env["RACES"] !== undefined) {
      const sum = exchanges.reduce((total, one) => total + one, 0);
      process.stdout.write(
        `${operation}: ${exchanges.length} rounds, ${answered} answered, ${sum} exchanges, ${least} in the round with the fewest\n`,
      );
    }
    expect(exchanges).toHaveLength(rounds);
    expect(least).toBeGreaterThanOrEqual(LEAST);
  },
);
