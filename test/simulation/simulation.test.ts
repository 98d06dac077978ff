import { expect, it } from "vitest";
import { proved } from "../proved.ts";
import { failed, runSeeds } from "./seeds.ts";
import { simulate } from "./simulate.ts";

const SEEDS = 200;
const STEPS = 10;

it("keeps every promise under 200 seeds of disorder, faults and kills", { timeout: 400_000 }, async () => {
  const runs = await runSeeds(SEEDS, { steps: STEPS });
  const broken = runs.filter(failed).map(({ seed, failure }) => ({ seed, failure }));
  expect(broken, `again: npm run simulate -- --steps ${STEPS} --seed …`).toEqual([]);
  const crashes = runs.reduce((sum, run) => sum + run.crashes, 0);
  const faults = runs.reduce((sum, run) => sum + run.faults, 0);
  expect(crashes).toBeGreaterThan(25);
  expect(faults).toBeGreaterThan(90);
  proved({
    promise: "Any order, fault and crash that a seed decides leaves every promise of the engine kept",
    test: "test/simulation/simulation.test.ts",
    figure: `${runs.length} seeds, ${crashes} kills, ${faults} faults, ${broken.length} broken`,
  });
});

it("does the same again, line for line, for the same seed, and another thing for another", {
  timeout: 100_000,
}, async () => {
  const [one, again, other] = [await simulate(7, 12), await simulate(7, 12), await simulate(8, 12)];
  expect(again.trace).toEqual(one.trace);
  expect(again.hash).toBe(one.hash);
  expect(other.hash).not.toBe(one.hash);
});

it("does the same again with three engines, too", { timeout: 100_000 }, async () => {
  // What a process does for the first time may take more turns of its event loop.
  await simulate(7, 4, { engines: 3 });
  const [one, again] = [await simulate(7, 4, { engines: 3 }), await simulate(7, 4, { engines: 3 })];
  expect(again.trace).toEqual(one.trace);
});
