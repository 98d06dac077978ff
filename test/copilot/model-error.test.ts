import { expect, test } from "vitest";
import { toModelError } from "../../src/copilot/model-error.ts";

test.each([
  [{ errorType: "rate_limit", statusCode: 429 }, "rate_limit"],
  [{ errorType: "query", statusCode: 429 }, "rate_limit"],
  [{ errorType: "quota" }, "rate_limit"],
  [{ errorType: "authentication", statusCode: 401 }, "authentication"],
  [{ errorType: "query", statusCode: 403 }, "authentication"],
  [{ errorType: "authorization" }, "authentication"],
  [{ errorType: "query", statusCode: 400 }, "invalid_request"],
  [{ errorType: "query", statusCode: 404 }, "invalid_request"],
  [{ errorType: "context_limit" }, "invalid_request"],
  [{ errorType: "query", statusCode: 408 }, "unavailable"],
  [{ errorType: "query", statusCode: 503 }, "unavailable"],
  [{ errorType: "query" }, "unavailable"],
])("%j is %s", (failure, reason) => {
  expect(toModelError({ ...failure, message: "why" })).toEqual({
    kind: "model_error",
    reason,
    status: "statusCode" in failure ? failure.statusCode : undefined,
    detail: "why",
  });
});
