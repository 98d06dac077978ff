import { expect, test } from "vitest";
import { retryAfterMs } from "../../../../src/adapters/runtimes/copilot/model-error.ts";

test.each([
  ["429 Rate limit reached. Please try again in 20s.", 20_000],
  ["Rate limit reached for gpt-4.1. Please try again in 6m0s. Visit https://example.com", 360_000],
  ["Please try again in 857ms.", 857],
  ["Please retry after 30 seconds.", 30_000],
  ["retry in 1.5 minutes", 90_000],
  ["You have exceeded your quota. It resets in 2 hours 5 minutes.", 7_500_000],
  ["Retry-After: 77", 77_000],
  ["Limit reached, available again in 1 day", 86_400_000],
  ["Please wait 10 secs", 10_000],
])("%j says %d ms", (message, ms) => {
  expect(retryAfterMs(message)).toBe(ms);
});

test.each([
  "Failed to get response from the AI model; retried 5 times (total retry wait time: 5.61 seconds) Last error: 429 Rate limit reached",
  "503 upstream connect error",
  "please try again in a moment",
  "",
])("%j does not say when", (message) => {
  expect(retryAfterMs(message)).toBeUndefined();
});
