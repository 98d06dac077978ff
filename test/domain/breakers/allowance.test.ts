import { expect, test } from "vitest";
import { allowanceOf } from "../../../src/domain/breakers/allowance.ts";
import { anAgent } from "../../factories/records.ts";
import { LIMITS } from "../../factories/some-settings.ts";

test("an agent may use its role's limits and what people granted on top", () => {
  const agent = anAgent({
    extraTurns: 1,
    extraToolCalls: 2,
    extraTokens: 3,
    extraCostMicroUsd: 4,
    extraActiveMs: 5,
    extraWakes: 6,
  });
  expect(allowanceOf({ ...LIMITS, maxCostUsd: 20 }, agent)).toEqual({
    turns: 51,
    toolCalls: 202,
    tokens: 2_000_003,
    costMicroUsd: 20_000_004,
    activeMs: 7_200_005,
    wakes: 11,
  });
  expect(allowanceOf(LIMITS, agent).costMicroUsd).toBeNull();
});
