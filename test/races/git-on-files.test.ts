import { expect, it, onTestFinished } from "vitest";
import { realHarness } from "../git/real-harness.ts";
import { type Operation, RACED, race } from "./git-races.ts";

/** Each of these takes up to a second; a fault in the others may need some dozen rounds to show. */
const SLOW: readonly Operation[] = ["prepare", "rebuild", "bring in", "checkout", "archive"];
const roundsOf = (operation: Operation) =>
  // More show more: RACES=200 takes some minutes for each operation.
  Number(process.env["RACES"] ?? (SLOW.includes(operation) ? 5 : 30));

it.each(RACED)(
  "%s reads, writes, deletes and changes nothing outside while files are exchanged for links",
  { timeout: 660_000 },
  async (operation) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const { exchanges, ...outcome } = await race(harness, operation, roundsOf(operation));
    expect(outcome).toEqual({ touched: [], found: [], failed: [] });
    expect(exchanges).toBeGreaterThan(0);
  },
);
