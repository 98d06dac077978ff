import { expect, test } from "vitest";
import { nearLimits, warningText } from "../../src/core/limit-warning.ts";

const limits = { warnAt: 0.8, maxActiveDurationMs: 600_000 };
const none = { turns: 0, turnsAllowed: 50, toolCalls: 0, toolCallsAllowed: 200, activeMs: 0 };

test("nothing is near at the start", () => {
  expect(nearLimits(none, limits)).toEqual([]);
});

test.each([
  ["max_turns", { turns: 39 }, { turns: 40 }, "40 of 50 turns"],
  ["max_tool_calls", { toolCalls: 159 }, { toolCalls: 160 }, "160 of 200 tool calls"],
  ["max_active_duration", { activeMs: 479_999 }, { activeMs: 480_000 }, "8 of 10 minutes"],
])("%s is near at its share and not before", (limit, before, at, words) => {
  expect(nearLimits({ ...none, ...before }, limits)).toEqual([]);
  expect(nearLimits({ ...none, ...at }, limits)).toEqual([{ limit, words }]);
});

test("the model reads all of them in one sentence", () => {
  expect(warningText(["40 of 50 turns", "8 of 10 minutes"])).toContain("40 of 50 turns and 8 of 10 minutes");
});
