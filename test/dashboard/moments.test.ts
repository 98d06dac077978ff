import { expect, it } from "vitest";
import { count, dollars, Moment, span, took } from "../../src/dashboard/page/moments.ts";

const SECOND = 1000;
const HOUR = 3_600_000;

it.each([
  [-1, "0 s"],
  [59 * SECOND, "59 s"],
  [60 * SECOND, "1 min"],
  [HOUR, "1 h"],
  [HOUR + 5 * 60 * SECOND, "1 h 5 min"],
  [52 * HOUR, "2 d 4 h"],
])("a span of %d ms reads %s", (ms, words) => {
  expect(span(ms)).toBe(words);
});

it("writes small sums of money with the digits that tell them from nothing", () => {
  expect([0, 0.0042, 0.021, 0.1, 1.305, 1234.5].map(dollars)).toEqual([
    "$0.00",
    "$0.0042",
    "$0.02",
    "$0.10",
    "$1.30",
    "$1234.50",
  ]);
});

it("tells how long a call took in the unit that fits", () => {
  expect([0, 93, 1200, 59_940, 65_000].map(took)).toEqual(["0 ms", "93 ms", "1.2 s", "59.9 s", "1 min"]);
});

it("shortens large numbers, and only them", () => {
  expect([7, 9999, 10_000, 999_900, 2_000_000].map(count)).toEqual(["7", "9,999", "10.0k", "999.9k", "2.0M"]);
});

const shown = (ms: number): string => JSON.stringify(Moment({ at: new Date(ms).toISOString() }));

const dayOf = (at: number) => new Date(at).toLocaleDateString(undefined, { month: "short", day: "numeric" });

it("names the day of a moment that is not of today", () => {
  const old = Date.now() - 40 * 24 * HOUR;
  expect(shown(old)).toContain(`"${dayOf(old)}, `);
  expect(shown(Date.now())).not.toContain(`"${dayOf(Date.now())}`);
});
