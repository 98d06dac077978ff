import { expect, test } from "vitest";
import type { Allowance } from "../../../src/domain/breakers/allowance.ts";
import {
  leftWords,
  nearLimits,
  nearTtl,
  type Used,
  usedWords,
  warningText,
} from "../../../src/domain/breakers/limit-warning.ts";

const allowed: Allowance = {
  turns: 50,
  toolCalls: 200,
  tokens: 2_000_000,
  costMicroUsd: 20_000_000,
  wakes: 5,
  activeMs: 600_000,
};
const none: Used = { turns: 0, toolCalls: 0, tokens: 0, costMicroUsd: 0, wakes: 0, activeMs: 0 };

test("what is left is told of every limit that is on, and is never less than nothing", () => {
  expect(leftWords({ ...none, turns: 60, costMicroUsd: 5_000_000 }, allowed)).toBe(
    "0 of 50 turns, 200 of 200 tool calls, 2,000,000 of 2,000,000 tokens, $15.00 of $20.00, 5 of 5 wakes, 10 of 10 minutes of working time",
  );
  expect(leftWords(none, { ...allowed, costMicroUsd: null })).not.toContain("$");
});

test("nothing is near at the start", () => {
  expect(nearLimits(none, allowed, 0.8)).toEqual([]);
});

test.each([
  ["max_turns", 50, { turns: 39 }, { turns: 40 }, "40 of 50 turns"],
  ["max_tool_calls", 200, { toolCalls: 159 }, { toolCalls: 160 }, "160 of 200 tool calls"],
  ["max_tokens", 2_000_000, { tokens: 1_599_999 }, { tokens: 1_600_000 }, "1,600,000 of 2,000,000 tokens"],
  [
    "max_cost_usd",
    20_000_000,
    { costMicroUsd: 15_999_999 },
    { costMicroUsd: 16_000_000 },
    "$16.00 of $20.00",
  ],
  ["max_iterations", 5, { wakes: 3 }, { wakes: 4 }, "4 of 5 wakes"],
  [
    "max_active_duration",
    600_000,
    { activeMs: 479_999 },
    { activeMs: 480_000 },
    "8 of 10 minutes of working time",
  ],
])("%s is near at its share and not before", (limit, whole, before, at, words) => {
  expect(nearLimits({ ...none, ...before }, allowed, 0.8)).toEqual([]);
  const near = [{ limit, key: `${limit}:${whole}`, words }];
  expect(nearLimits({ ...none, ...at }, allowed, 0.8)).toEqual(near);
});

test("a cost limit that is off is never near", () => {
  expect(nearLimits({ ...none, costMicroUsd: 9e9 }, { ...allowed, costMicroUsd: null }, 0.8)).toEqual([]);
});

test("a time to live is near at its share and not before, and never where there is none", () => {
  const lives = { createdAt: 60_000, ttlMs: 600_000 };
  expect(nearTtl(lives, 539_999, 0.8)).toEqual([]);
  expect(nearTtl(lives, 540_000, 0.8)).toEqual([
    { limit: "ttl", key: "ttl:600000", words: "8 of 10 minutes of your time to live" },
  ]);
  expect(nearTtl({ ...lives, ttlMs: null }, 9e12, 0.8)).toEqual([]);
});

test("the comment at a limit says all that is used, the cost where it is limited", () => {
  const used = { ...none, turns: 3, toolCalls: 7, tokens: 1234, costMicroUsd: 5_000 };
  const turns = "3 of 50 turns and 7 of 200 tool calls are used, 1,234 of 2,000,000 tokens";
  expect(usedWords(used, allowed)).toBe(`${turns}, $0.01 of $20.00`);
  expect(usedWords(used, { ...allowed, costMicroUsd: null })).toBe(turns);
});

test("the model reads all of them in one sentence", () => {
  expect(warningText(["40 of 50 turns", "8 of 10 minutes"])).toContain("40 of 50 turns and 8 of 10 minutes");
});
