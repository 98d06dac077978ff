import { describe, expect, it } from "vitest";
import { reviewLeaseWalker } from "../review-lease-walker.ts";
import { taskWalker } from "../task-walker.ts";
import { follow, refused } from "../walker.ts";

const AUTHOR = 11;
const REVIEWER = 13;
const claim = { type: "CLAIM", holderId: REVIEWER };

/** Its three conditions of a review, and whether it may be claimed. */
const CLAIMABLE = [
  { condition: "nobody reviews", way: [], claimable: true },
  { condition: "a reviewer's lease is over", way: [claim, "EXPIRE"], claimable: true },
  { condition: "a reviewer's lease runs", way: [claim], claimable: false },
] as const;

/** The lease of a review, which lives beside the task's own. */
export function reviewLease(): void {
  describe("the review lease", () => {
    it.each(CLAIMABLE)("$condition: claimable $claimable", ({ way, claimable }) => {
      const lease = follow(reviewLeaseWalker, reviewLeaseWalker.reach("FREE"), ...way);
      const next = reviewLeaseWalker.pathThrough(lease, ["HELD"], { by: ["CLAIM"], bound: 1 });
      expect(next !== null).toBe(claimable);
    });

    it("is set with its holder and its end, and there is none without an end or for the author", () => {
      const free = reviewLeaseWalker.reach("FREE");
      const { snapshot } = follow(reviewLeaseWalker, free, claim);
      expect(snapshot).toMatchObject({ state: "HELD", holderId: REVIEWER });
      expect(snapshot?.leaseUntil).toBeGreaterThan(0);
      expect(refused(reviewLeaseWalker, free, { type: "CLAIM", holderId: AUTHOR })).toMatchObject([
        { rule: "own_work" },
      ]);
    });

    it("is extended by its holder, and not by one that lost it", () => {
      const held = follow(reviewLeaseWalker, reviewLeaseWalker.reach("FREE"), claim);
      const renewed = follow(reviewLeaseWalker, held, { type: "RENEW", token: held.snapshot?.token });
      expect(renewed.snapshot?.leaseUntil).toBeGreaterThan(held.snapshot?.leaseUntil ?? Infinity);
      const stale = (held.snapshot?.token ?? 0) - 1;
      expect(refused(reviewLeaseWalker, held, { type: "RENEW", token: stale })).toHaveLength(1);
      expect(refused(reviewLeaseWalker, held, { type: "VERDICT", token: stale })).toHaveLength(1);
    });

    it.each(["VERDICT", "EXPIRE"])("is cleared by %s, and may be claimed again", (event) => {
      const held = follow(reviewLeaseWalker, reviewLeaseWalker.reach("FREE"), claim);
      const free = follow(reviewLeaseWalker, held, event);
      expect(free.snapshot).toMatchObject({ state: "FREE", holderId: null, leaseUntil: null });
      const again = follow(reviewLeaseWalker, free, claim);
      expect(again.snapshot?.token).toBe((held.snapshot?.token ?? 0) + 1);
    });

    it.each(["APPROVE", "REJECT"])("leaves the task to the verdict: %s ends its review", (event) => {
      const review = taskWalker.reach("READY_FOR_REVIEW");
      expect(follow(taskWalker, review, event).snapshot?.state).not.toBe("READY_FOR_REVIEW");
    });
  });
}
