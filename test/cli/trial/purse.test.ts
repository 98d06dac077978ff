import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Purse } from "../../../src/cli/trial/purse.ts";

test("without a budget nothing lowers the role's own limit", () => {
  const purse = new Purse({ budget: undefined, spent: 900, slots: 2, most: 20 });
  expect(purse.take()?.maxCostUsd).toBeUndefined();
});

test("a run gets its role's limit while there is enough, and then its part of what is left", () => {
  const purse = new Purse({ budget: 50, spent: 0, slots: 2, most: 20 });
  const first = purse.take();
  expect(first?.maxCostUsd).toBeUndefined();
  expect(purse.take()?.maxCostUsd).toBeUndefined();
  first?.giveBack(16);
  // 50 - 20 - 16 are left.
  expect(purse.take()?.maxCostUsd).toBeCloseTo(14);
  expect(purse.take()).toBeNull();
});

test("slots share a small budget, and what earlier processes spent is gone", () => {
  const purse = new Purse({ budget: 12, spent: 4, slots: 2, most: undefined });
  expect(purse.take()?.maxCostUsd).toBeCloseTo(4);
  expect(purse.take()?.maxCostUsd).toBeCloseTo(4);
  expect(new Purse({ budget: 12, spent: 13, slots: 1, most: 20 }).take()).toBeNull();
});

test("all shares together are never more than the budget, and a share comes back once", () => {
  const acts = fc.array(fc.record({ backs: fc.nat(3), part: fc.double({ min: 0, max: 1, noNaN: true }) }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 4 }),
      acts,
      (budget, slots, steps) => {
        const purse = new Purse({ budget, spent: 0, slots, most: 20 });
        const out: { share: number; giveBack: (cost: number) => void }[] = [];
        let spent = 0;
        for (const { backs, part } of steps) {
          const taken = out.length < slots ? purse.take() : null;
          if (taken !== null) out.push({ share: taken.maxCostUsd ?? 20, giveBack: taken.giveBack });
          for (const one of out.splice(0, backs)) {
            one.giveBack(one.share * part);
            one.giveBack(0);
            spent += one.share * part;
          }
          expect(spent + out.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(budget + 1e-6);
        }
      },
    ),
  );
});
