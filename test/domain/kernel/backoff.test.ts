import { expect, test } from "vitest";
import { backoff, crashDelay } from "../../../src/domain/kernel/backoff.ts";

test("each try waits twice as long as the one before, up to the cap", () => {
  expect([0, 1, 2, 3, 4].map((attempt) => backoff(attempt, 2_000, 20_000))).toEqual([
    2_000, 4_000, 8_000, 16_000, 20_000,
  ]);
});

test("a try that comes very late waits for the cap, not for ever", () => {
  expect(backoff(5_000, 2_000, 300_000)).toBe(300_000);
});

test("after a crash it is 5 s, doubling to 5 min", () => {
  expect([0, 1, 2, 5, 6, 7].map(crashDelay)).toEqual([5_000, 10_000, 20_000, 160_000, 300_000, 300_000]);
});
