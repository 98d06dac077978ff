import { expect, it } from "vitest";
import { failed, runSeeds } from "./seeds.ts";

const SEEDS = 3;
const STEPS = 8;
const ENGINES = 3;

it("keeps every promise where three engines use one database, are killed and stop for longer than their leases", async () => {
  const runs = await runSeeds(SEEDS, { steps: STEPS, engines: ENGINES });
  const broken = runs.filter(failed).map(({ seed, failure }) => ({ seed, failure }));
  expect(broken, `again: npm run simulate -- --engines ${ENGINES} --steps ${STEPS} --seed …`).toEqual([]);
});
