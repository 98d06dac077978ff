import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { maxCallCost, nextCall, roomToWrapUp, spentLimit } from "../../../src/domain/sessions/model-call.ts";

const price = { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) };
const allowed = { tokens: 1000, costMicroUsd: 500 };

describe("the dearest call", () => {
  it("is the longest prompt, none of it cached, and the longest answer", () => {
    expect(maxCallCost(undefined, price)).toEqual({
      tokens: 128_000 + 32_768,
      costMicroUsd: 128_000 * 2 + 32_768 * 8,
    });
    expect(maxCallCost(10_000, undefined)).toEqual({ tokens: 10_000 + 32_768, costMicroUsd: 0 });
  });
});

describe("the next call", () => {
  it("sends what was sent and answered before, and a little of the host's", () => {
    const last = { inputTokens: 20_000, outputTokens: 500, cachedTokens: 19_000 };
    expect(nextCall(last, undefined).tokens).toBe(20_000 + 500 + 4_000 + 32_768);
  });

  it("is taken for the longest when there was none before", () => {
    expect(nextCall(null, undefined).tokens).toBeGreaterThan(maxCallCost(undefined, undefined).tokens);
  });
});

describe("a limit of spending", () => {
  it.each([
    [{ tokens: 999, costMicroUsd: 499 }, null],
    [{ tokens: 1000, costMicroUsd: 0 }, "max_tokens"],
    [{ tokens: 0, costMicroUsd: 500 }, "max_cost_usd"],
  ])("at %j says %s", (spent, limit) => {
    expect(spentLimit(spent, allowed)).toBe(limit);
  });

  it("of cost that is off is never reached", () => {
    expect(spentLimit({ tokens: 0, costMicroUsd: 1e12 }, { ...allowed, costMicroUsd: null })).toBeNull();
  });
});

describe("the call that wraps up", () => {
  const calls = {
    next: { tokens: 40, costMicroUsd: 20 },
    dearest: { tokens: 100, costMicroUsd: 50 },
  };

  it.each([
    [1060, 500, true],
    [1061, 500, false],
    [1000, 530, true],
    [1000, 531, false],
  ])("after %d tokens and %d micro-dollars fits: %s", (tokens, costMicroUsd, fits) => {
    expect(roomToWrapUp({ tokens, costMicroUsd }, allowed, calls)).toBe(fits);
  });

  it("is not measured in money where that is not limited", () => {
    const open = { ...allowed, costMicroUsd: null };
    expect(roomToWrapUp({ tokens: 1000, costMicroUsd: 1e12 }, open, calls)).toBe(true);
  });
});
