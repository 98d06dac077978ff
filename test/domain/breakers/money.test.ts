import { expect, test } from "vitest";
import { costOf, dollars, microUsd, priceOf } from "../../../src/domain/breakers/money.ts";

const price = { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) };

test("a call costs its fresh, cached and answered tokens by the million", () => {
  expect(costOf(price, { inputTokens: 1_000_000, cachedTokens: 0, outputTokens: 0 })).toBe(2_000_000);
  expect(costOf(price, { inputTokens: 1_000_000, cachedTokens: 1_000_000, outputTokens: 0 })).toBe(500_000);
  expect(costOf(price, { inputTokens: 0, cachedTokens: 0, outputTokens: 1_000_000 })).toBe(8_000_000);
  expect(costOf(price, { inputTokens: 3_000, cachedTokens: 1_000, outputTokens: 10 })).toBe(4_000 + 500 + 80);
});

test("part of a micro-dollar counts as one, so that nothing is free", () => {
  expect(costOf(price, { inputTokens: 1, cachedTokens: 1, outputTokens: 0 })).toBe(1);
  expect(costOf(price, { inputTokens: 0, cachedTokens: 0, outputTokens: 0 })).toBe(0);
});

test("more cached tokens than prompt tokens make nothing cheaper", () => {
  expect(costOf(price, { inputTokens: 10, cachedTokens: 1_000_000, outputTokens: 0 })).toBe(500_000);
});

test("ten thousand calls are exact to the cent", () => {
  const use = { inputTokens: 1_234, cachedTokens: 567, outputTokens: 89 };
  let sum = 0;
  for (let call = 0; call < 10_000; call += 1) sum += costOf(price, use);
  const exact = 10_000 * (667 * 2 + 567 * 0.5 + 89 * 8);
  expect(Math.abs(sum - exact)).toBeLessThanOrEqual(10_000);
});

test("a model that reports under a longer name has the price that was configured", () => {
  const prices = new Map([["gpt-4.1", price]]);
  expect(priceOf(prices, "gpt-4.1-2025-04-14", "gpt-4.1")).toBe(price);
  expect(priceOf(prices, "gpt-4.1", "other")).toBe(price);
  expect(priceOf(prices, "a", "b")).toBeUndefined();
});

test("people read dollars", () => {
  expect(dollars(16_004_999)).toBe("$16.00");
  expect(dollars(0)).toBe("$0.00");
});
