import { describe, expect, it } from "vitest";
import { claimsReview, freesReview, mayReview } from "../../../src/domain/agents/agent-review.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";

const REVIEW = { taskId: 41, authorId: 11, leaseMs: 1000 };
const when = { at: 5, actor: "flotilla" };
const reviewer = anAgent({ id: 21, coder: false, ephemeral: true });

describe("a reviewer", () => {
  it("starts where there is a review for it, and with the reason why not where there is none", () => {
    expect(mayReview(surroundings({ review: REVIEW }))).toBe(true);
    expect(mayReview(surroundings())).toBe(true);
    expect(mayReview(surroundings({ review: "another is at work" }))).toMatchObject({
      rule: "no_review",
      reason: "another is at work",
    });
  });

  it("holds the review from its start, for as long as the lease says", () => {
    expect(claimsReview(reviewer, { ...when, around: surroundings({ review: REVIEW }) })).toMatchObject([
      {
        machine: "review_lease",
        event: { type: "CLAIM", taskId: 41, holderId: 21, authorId: 11, leaseUntil: 1005 },
      },
    ]);
    for (const review of [null, "another is at work"])
      expect(claimsReview(reviewer, { ...when, around: surroundings({ review }) })).toEqual([]);
  });

  it("lets go of it at its end; an agent that sleeps and wakes never had one", () => {
    expect(freesReview(reviewer, when, "done")).toMatchObject([{ event: { type: "EXPIRE", why: "done" } }]);
    expect(freesReview(anAgent({ ephemeral: false }), when, "done")).toEqual([]);
  });
});
