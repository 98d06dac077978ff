import { expect, it, onTestFinished } from "vitest";
import { realHarness } from "../git/real-harness.ts";
import { RACED, race } from "./git-races.ts";

/** More show more: RACES=200 takes some minutes for each operation. */
const ROUNDS = Number(process.env["RACES"] ?? 5);

it.each(RACED)(
  "%s reads, writes, deletes and changes nothing outside while files are exchanged for links",
  {
    timeout: 60_000 + ROUNDS * 10_000,
  },
  async (operation) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const { exchanges, ...outcome } = await race(harness, operation, ROUNDS);
    expect(outcome).toEqual({ touched: [], found: [], failed: [] });
    expect(exchanges).toBeGreaterThan(0);
  },
);
