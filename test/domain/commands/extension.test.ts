import { expect, test } from "vitest";
import {
  halfOf,
  LARGEST,
  NO_GRANT,
  raiseLimits,
  sumGrants,
  unitOf,
} from "../../../src/domain/commands/extension.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

test("grants add up, and name everybody who gave one", () => {
  const first = {
    by: ["alice"],
    turns: 1,
    toolCalls: 2,
    wakes: 3,
    tokens: 4,
    costMicroUsd: 5,
    activeMs: 6,
    rounds: 7,
  };
  const second = { ...first, by: ["bob", "alice"], turns: 10 };
  expect(sumGrants([first, second])).toEqual({
    by: ["alice", "bob"],
    turns: 11,
    toolCalls: 4,
    wakes: 6,
    tokens: 8,
    costMicroUsd: 10,
    activeMs: 12,
    rounds: 14,
  });
  expect(sumGrants([])).toBeNull();
});

test("a grant comes on top of those before", () => {
  const grant = {
    by: [],
    turns: 1,
    toolCalls: 2,
    wakes: 3,
    tokens: 4,
    costMicroUsd: 5,
    activeMs: 6,
    rounds: 7,
  };
  const agent = anAgent({ extraTurns: 10, extraTokens: 100 });
  expect(raiseLimits(agent, grant)).toEqual({
    extraTurns: 11,
    extraToolCalls: 2,
    extraWakes: 3,
    extraTokens: 104,
    extraCostMicroUsd: 5,
    extraActiveMs: 6,
  });
});

test("sums of grants stay numbers that can be kept", () => {
  const most = {
    by: [],
    turns: LARGEST,
    toolCalls: LARGEST,
    wakes: LARGEST,
    tokens: LARGEST,
    costMicroUsd: LARGEST,
    activeMs: LARGEST,
    rounds: LARGEST,
  };
  expect(sumGrants([most, most])).toEqual(most);
  const kept = {
    extraTurns: LARGEST,
    extraToolCalls: LARGEST,
    extraWakes: LARGEST,
    extraTokens: LARGEST,
    extraCostMicroUsd: LARGEST,
    extraActiveMs: LARGEST,
  };
  expect(raiseLimits(anAgent(kept), most)).toEqual(kept);
});

test.each([
  ["max_turns", { turns: 25 }],
  ["max_tool_calls", { toolCalls: 100 }],
  ["max_iterations", { wakes: 3 }],
  ["max_tokens", { tokens: 1_000_000 }],
  ["max_cost_usd", { costMicroUsd: 10_000_000 }],
  ["max_active_duration", { activeMs: 3_600_000 }],
  ["max_sleep_duration", {}],
  ["constructor", {}],
  [null, {}],
])("half of %s is %j", (breaker, part) => {
  expect(halfOf(breaker, { ...LIMITS, maxCostUsd: 20 })).toEqual({ ...NO_GRANT, ...part });
});

test("half of a cost limit that was switched off meanwhile is nothing", () => {
  expect(halfOf("max_cost_usd", LIMITS)).toEqual(NO_GRANT);
});

test("what no grant raises has no unit", () => {
  expect(unitOf("max_tokens")).toBe("tokens");
  expect(unitOf("max_bounces")).toBeNull();
});
