import { expect, it } from "vitest";
import { waitForReview } from "../../../src/domain/review/wait-for-review.ts";

it("a coder waits for a review without an end, and its summary stands in one line", () => {
  expect(waitForReview({ at: 5, actor: "agent", summary: "Built.\n\nTested." })).toEqual({
    at: 5,
    actor: "agent",
    type: "WAIT",
    reason: "review",
    dueAt: null,
    crash: false,
    breaker: null,
    detail: "Built. Tested.",
  });
});
