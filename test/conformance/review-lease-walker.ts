import {
  blankReviewLease,
  type ReviewLeaseEvent,
  type ReviewLeaseRecord,
  reviewLeaseMachine,
} from "../../src/domain/review/review-lease.ts";
import { AT, HOUR } from "../factories/moment.ts";
import { type Walker, walkerOf } from "./walker.ts";

const base = { at: AT, actor: "flotilla" };
const REVIEWER = 13;
const AUTHOR = 11;

function eventsOf(type: ReviewLeaseEvent["type"], token: number): readonly ReviewLeaseEvent[] {
  const claim = { ...base, taskId: 41, authorId: AUTHOR, leaseUntil: AT + HOUR };
  switch (type) {
    case "CLAIM":
      return [
        { ...claim, type, holderId: REVIEWER },
        { ...claim, type, holderId: AUTHOR },
        { ...claim, type, holderId: REVIEWER, leaseUntil: AT },
      ];
    case "RENEW":
      return [token, token - 1].map((own) => ({ ...base, type, token: own, leaseUntil: AT + 2 * HOUR }));
    case "VERDICT":
      return [token, token - 1].map((own) => ({ ...base, type, token: own }));
    case "EXPIRE":
    case "NEW_COMMIT":
      return [{ ...base, type, why: "it is over" }];
  }
}

/** The review's lease: claimed by a reviewer, by the author, without an end; renewed and ended by its holder or a stale one. */
export const reviewLeaseWalker: Walker<ReviewLeaseRecord> = walkerOf({
  machine: reviewLeaseMachine,
  blank: { ...blankReviewLease, id: 51, version: 1 },
  start: "blank",
  candidates: (lease) => reviewLeaseMachine.events.flatMap((type) => eventsOf(type, lease?.token ?? 0)),
  key: ({ state, leaseUntil }) => `${state} ${leaseUntil ?? ""}`,
});
