import { expect, test } from "vitest";
import { dayOf, daySpent, daySpentWords, startOfDay } from "../../../src/domain/breakers/day-budget.ts";

const midnight = Date.UTC(2026, 0, 2);

test("a day turns at midnight, UTC", () => {
  expect(dayOf(midnight)).toBe(dayOf(midnight - 1) + 1);
  expect(startOfDay(dayOf(midnight + 86_399_999))).toBe(midnight);
});

test.each([
  [{ spent: 99, reserved: 0, allowed: 100 }, false],
  [{ spent: 100, reserved: 0, allowed: 100 }, true],
  [{ spent: 60, reserved: 39, allowed: 100 }, false],
  [{ spent: 60, reserved: 40, allowed: 100 }, true],
  [{ spent: 1e12, reserved: 0, allowed: null }, false],
])("a day with %j is spent: %s", (use, spent) => {
  expect(daySpent(use)).toBe(spent);
});

test("people read how much was allowed", () => {
  expect(daySpentWords(100_000_000)).toBe("the repository's budget for today ($100.00) is spent or reserved");
});
