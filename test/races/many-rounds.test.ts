import { expect, it } from "vitest";
import { realHarness } from "../adapters/git/real-harness.ts";
import { proved } from "../proved.ts";
import { LEAST, RACED, race } from "./git-races.ts";

const ROUNDS = 200;

it(`${ROUNDS} rounds of each operation reach nothing outside while files are exchanged for links`, {
  timeout: 7_200_000,
}, async () => {
  let [exchanged, answered] = [0, 0];
  for (const operation of RACED) {
    const harness = await realHarness();
    const outcome = await race(harness, operation, ROUNDS, { least: LEAST });
    await harness.close();
    const { touched, found, failed, exchanges } = outcome;
    expect({ operation, touched, found, failed }).toEqual({ operation, touched: [], found: [], failed: [] });
    expect(exchanges).toHaveLength(ROUNDS);
    expect(Math.min(...exchanges)).toBeGreaterThanOrEqual(LEAST);
    exchanged += exchanges.reduce((sum, one) => sum + one, 0);
    answered += outcome.answered;
  }
  proved({
    promise: "Host work on an agent's files reaches nothing outside while processes exchange them for links",
    test: "test/races/many-rounds.test.ts",
    figure: `${RACED.length} operations, ${ROUNDS} rounds each, ${exchanged} exchanges meanwhile, ${answered} answers, 0 files read, written or deleted outside`,
  });
});
