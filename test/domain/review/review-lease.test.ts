import { describe, expect, it } from "vitest";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import {
  blankReviewLease,
  type ReviewLeaseEvent,
  type ReviewLeaseRecord,
  reviewLeaseMachine,
  reviewLeaseRecord,
} from "../../../src/domain/review/review-lease.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { type Arrow, arrowsOf, printArrow, written } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";

const base = { at: AT, actor: "flotilla" };
const claim = {
  ...base,
  type: "CLAIM",
  taskId: 41,
  holderId: 12,
  authorId: 11,
  leaseUntil: AT + HOUR,
} as const;

const free = { ...blankReviewLease, id: 51, version: 1, taskId: 41 };
const held: ReviewLeaseRecord = {
  ...free,
  state: "HELD",
  holderId: 12,
  leaseUntil: AT + MINUTE,
  token: 3,
};

function witness({ event }: Arrow): Witness<ReviewLeaseRecord, ReviewLeaseEvent> {
  const snapshot = { holderId: 12, leaseUntil: AT + MINUTE, token: 1 };
  switch (event) {
    case "CLAIM":
      return { event: claim };
    case "RENEW":
      return { event: { ...base, type: event, token: 1, leaseUntil: AT + HOUR }, snapshot };
    case "VERDICT":
      return { event: { ...base, type: event, token: 1 }, snapshot };
    case "EXPIRE":
    case "NEW_COMMIT":
      return { event: { ...base, type: event, why: "it took too long" }, snapshot };
    default:
      throw new Error(`the review lease has no event ${event}`);
  }
}

machineContract({
  machine: reviewLeaseMachine,
  blank: blankReviewLease,
  start: "FREE",
  witness,
  terminalTakes: [],
});

const after = (lease: ReviewLeaseRecord, event: ReviewLeaseEvent) => step(reviewLeaseMachine, lease, event);

describe("the lease of a review", () => {
  it("has exactly the arrows of the design", () => {
    expect(arrowsOf(reviewLeaseMachine).map(printArrow).toSorted()).toEqual(
      written(
        ["FREE", "CLAIM", "HELD"],
        ["HELD", "RENEW", "HELD"],
        ["HELD", "VERDICT/EXPIRE/NEW_COMMIT", "FREE"],
      ),
    );
    expect(reviewLeaseRecord.parse(blankReviewLease)).toEqual(blankReviewLease);
  });

  it("is claimed with an end and a token of its own", () => {
    expect(after({ ...free, token: 3 }, claim)).toMatchObject({
      snapshot: { state: "HELD", taskId: 41, holderId: 12, leaseUntil: AT + HOUR, token: 4 },
    });
  });

  it("is not claimed by the author, nor without an end that lies ahead", () => {
    expect(after(free, { ...claim, holderId: 11 })).toMatchObject({ ok: false, rule: "own_work" });
    expect(after(free, { ...claim, leaseUntil: AT })).toMatchObject({ ok: false, rule: "no_expiry" });
    expect(after(free, { ...claim, leaseUntil: Number.NaN })).toMatchObject({ rule: "no_expiry" });
  });

  it("is renewed and answered by its holder only", () => {
    expect(after(held, { ...base, type: "RENEW", token: 3, leaseUntil: AT + HOUR })).toMatchObject({
      snapshot: { state: "HELD", leaseUntil: AT + HOUR, token: 3 },
    });
    for (const type of ["RENEW", "VERDICT"] as const)
      expect(after(held, { ...base, type, token: 2, leaseUntil: AT + HOUR })).toMatchObject({
        ok: false,
        rule: "stale_holder",
      });
  });

  it("is free after the verdict, and nobody is cancelled", () => {
    expect(after(held, { ...base, type: "VERDICT", token: 3 })).toMatchObject({
      snapshot: { state: "FREE", holderId: null, leaseUntil: null, token: 3 },
      emits: [],
    });
  });

  it.each(["EXPIRE", "NEW_COMMIT"] as const)("cancels its reviewer at %s", (type) => {
    expect(after(held, { ...base, type, why: "no news for 30 min" })).toMatchObject({
      snapshot: { state: "FREE", holderId: null, leaseUntil: null },
      emits: [{ machine: "holder", event: { type: "CANCEL", why: "no news for 30 min", quiet: true } }],
    });
  });
});
