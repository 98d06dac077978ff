import { expect, test } from "vitest";
import { pairedChange, quartiles, wilson } from "../../../src/domain/trial/statistics.ts";

test("a share has Wilson's interval, as published tables have it", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I: Wilson's score interval without correction.
  const { share, low, high } = wilson(81, 263);
  expect(share).toBeCloseTo(0.308, 4);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
  expect(wilson(15, 148).low).toBeCloseTo(0.0624, 4);
  expect(wilson(15, 148).high).toBeCloseTo(0.1605, 4);
  expect(wilson(1, 29).low).toBeCloseTo(0.0061, 4);
  expect(wilson(1, 29).high).toBeCloseTo(0.1718, 4);
});

test("no and every success have intervals that end at 0 and at 1, and are not certain", () => {
  expect(wilson(0, 20)).toMatchObject({ share: 0, low: 0 });
  expect(wilson(0, 20).high).toBeCloseTo(0.1611, 4);
  expect(wilson(3, 3)).toMatchObject({ share: 1, high: 1 });
  expect(wilson(3, 3).low).toBeCloseTo(0.4385, 4);
  expect(wilson(0, 0)).toEqual({ of: 0, count: 0, share: 0, low: 0, high: 1 });
});

test("quartiles lie between neighbours in proportion", () => {
  expect(quartiles([4, 1, 3, 2])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
  expect(quartiles([10, 100, 9])).toEqual({ low: 9.5, median: 10, high: 55 });
  expect(quartiles([7])).toEqual({ low: 7, median: 7, high: 7 });
  expect(quartiles([])).toBeNull();
});

test("the change of paired shares has Newcombe's interval, as published tables have it", () => {
  // Newcombe, Statistics in Medicine 17 (1998), 2635-2650, table III, method 10.
  const { change, low, high } = pairedChange({ both: 36, onlyBefore: 2, onlyAfter: 12, neither: 0 });
  expect(change).toBeCloseTo(0.2, 10);
  expect(low).toBeCloseTo(0.0569, 4);
  expect(high).toBeCloseTo(0.3404, 4);
  const back = pairedChange({ both: 36, onlyBefore: 12, onlyAfter: 2, neither: 0 });
  expect(back.low).toBeCloseTo(-high, 10);
  expect(back.high).toBeCloseTo(-low, 10);
});

test("trials that agree hardly more than by chance narrow the interval by nothing", () => {
  // 2 × 2 - 1 × 1 is not more than half of the six cases.
  const hardly = pairedChange({ both: 2, onlyBefore: 1, onlyAfter: 1, neither: 2 });
  const apart = Math.hypot(wilson(3, 6).share - wilson(3, 6).low, wilson(3, 6).high - wilson(3, 6).share);
  expect(hardly.high).toBeCloseTo(apart, 10);
});

test("the chance of a split is that of a fair coin", () => {
  expect(pairedChange({ both: 5, onlyBefore: 0, onlyAfter: 6, neither: 2 }).chance).toBeCloseTo(2 / 64, 10);
  expect(pairedChange({ both: 0, onlyBefore: 6, onlyAfter: 0, neither: 0 }).chance).toBeCloseTo(2 / 64, 10);
  expect(pairedChange({ both: 0, onlyBefore: 1, onlyAfter: 3, neither: 0 }).chance).toBeCloseTo(10 / 16, 10);
  expect(pairedChange({ both: 0, onlyBefore: 2, onlyAfter: 2, neither: 9 }).chance).toBe(1);
  expect(pairedChange({ both: 0, onlyBefore: 900, onlyAfter: 1100, neither: 0 }).chance).toBeCloseTo(
    8.5e-6,
    6,
  );
});

test("what both trials have in common narrows the interval, and nothing is known of no cases", () => {
  const agreeing = pairedChange({ both: 10, onlyBefore: 0, onlyAfter: 2, neither: 8 });
  const crossing = pairedChange({ both: 5, onlyBefore: 5, onlyAfter: 7, neither: 3 });
  expect(agreeing.change).toBeCloseTo(crossing.change, 10);
  expect(agreeing.high - agreeing.low).toBeLessThan(crossing.high - crossing.low);
  const same = pairedChange({ both: 4, onlyBefore: 0, onlyAfter: 0, neither: 0 });
  expect(same).toMatchObject({ change: 0, chance: 1 });
  expect(same.low).toBeLessThan(0);
  expect(pairedChange({ both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 })).toEqual({
    change: 0,
    low: -1,
    high: 1,
    chance: 1,
  });
});
