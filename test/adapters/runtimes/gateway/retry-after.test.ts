import { expect, test } from "vitest";
import { retryAfterMs, retryAfterOf } from "../../../../src/adapters/runtimes/gateway/retry-after.ts";

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

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "17" }, 17_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
  [{ "retry-after": "Thu, 01 Jan 1970 00:01:00 GMT" }, 59_000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-5" }, undefined],
])("the headers %j", (headers, ms) => {
  expect(retryAfterOf(new Headers(headers), 1000)).toBe(ms);
});
