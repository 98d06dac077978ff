import { expect, test } from "vitest";
import { toModelError } from "../../../../src/adapters/runtimes/copilot/model-error.ts";

test.each([
  [{ errorType: "rate_limit", statusCode: 429 }, "rate_limit", "park"],
  [{ errorType: "query", statusCode: 429 }, "rate_limit", "park"],
  [{ errorType: "rate_limit", statusCode: 429, message: "429 insufficient_quota" }, "quota", "park"],
  [{ errorType: "quota" }, "quota", "park"],
  [{ errorType: "query", statusCode: 402 }, "quota", "park"],
  [{ errorType: "authentication", statusCode: 401 }, "authentication", "tell"],
  [{ errorType: "query", statusCode: 403 }, "authentication", "tell"],
  [{ errorType: "authorization" }, "authentication", "tell"],
  [{ errorType: "query", statusCode: 400 }, "invalid_request", "stop"],
  [{ errorType: "query", statusCode: 404 }, "invalid_request", "stop"],
  [{ errorType: "context_limit" }, "invalid_request", "stop"],
  [{ errorType: "query", statusCode: 408 }, "unavailable", "park"],
  [{ errorType: "query", statusCode: 503 }, "unavailable", "park"],
  [{ errorType: "query" }, "unavailable", "park"],
  [{ errorType: "query", message: "No response was returned from the model" }, "no_answer", "retry"],
])("%j is %s, and the consequence is: %s", (failure, reason, consequence) => {
  expect(toModelError({ message: "why", ...failure })).toEqual({
    kind: "model_error",
    reason,
    consequence,
    status: "statusCode" in failure ? failure.statusCode : undefined,
    retryAfterMs: undefined,
    detail: "message" in failure ? failure.message : "why",
  });
});

test("neither our gateway's address nor a variable of the runtime is in what people read", () => {
  const message =
    "401 Incorrect API key. The server http://127.0.0.1:40123/v1 refused it. Check your COPILOT_PROVIDER_API_KEY, COPILOT_PROVIDER_API_KEY_COMMAND, or COPILOT_PROVIDER_BEARER_TOKEN. Request id 7.";
  expect(toModelError({ errorType: "authentication", statusCode: 401, message }).detail).toBe(
    "401 Incorrect API key. The server the model provider refused it. Request id 7.",
  );
});

test("the provider's own time is read from its words", () => {
  const message = "429 Rate limit reached. Please try again in 20s.";
  expect(toModelError({ errorType: "rate_limit", statusCode: 429, message }).retryAfterMs).toBe(20_000);
});
