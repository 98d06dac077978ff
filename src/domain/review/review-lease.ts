import { z } from "zod";
import type { AgentEvent } from "../agents/agent-event.ts";
import { type Machine, no, type Rule, ruleMaker } from "../kernel/state-machine.ts";

/** Who reviews a task at the moment; at most one at a time. The holder is the task's reviewer. */
const REVIEW_LEASE_STATES = ["FREE", "HELD"] as const;
export type ReviewLeaseState = (typeof REVIEW_LEASE_STATES)[number];

export const reviewLeaseRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(REVIEW_LEASE_STATES),
  taskId: z.int(),
  /** The reviewing agent. */
  holderId: z.int().nullable(),
  leaseUntil: z.int().nullable(),
  /** Fencing token: raised at each CLAIM, never reused. */
  token: z.int(),
});
export type ReviewLeaseRecord = z.infer<typeof reviewLeaseRecord>;

interface Base {
  readonly at: number;
  readonly actor: string;
}
export type ReviewLeaseEvent = Base &
  (
    | {
        readonly type: "CLAIM";
        readonly taskId: number;
        readonly holderId: number;
        /** The coder of the work; null when nobody holds the task. */
        readonly authorId: number | null;
        readonly leaseUntil: number;
      }
    | { readonly type: "RENEW"; readonly token: number; readonly leaseUntil: number }
    | { readonly type: "VERDICT"; readonly token: number }
    | { readonly type: "EXPIRE" | "NEW_COMMIT"; readonly why: string }
  );

/** The move may cancel the agent that held the lease until then. */
export interface ReviewLeaseEmission {
  readonly machine: "holder";
  readonly event: AgentEvent;
}

type R = Rule<ReviewLeaseState, ReviewLeaseRecord, ReviewLeaseEvent, never, ReviewLeaseEmission>;
const rule = ruleMaker<ReviewLeaseState, ReviewLeaseRecord, ReviewLeaseEvent, never, ReviewLeaseEmission>();

const holds = (lease: ReviewLeaseRecord, event: { readonly token: number }) =>
  lease.token === event.token || no("stale_holder", "the lease was taken by another reviewer since");

const free = { holderId: null, leaseUntil: null } as const;

const ends = (on: "EXPIRE" | "NEW_COMMIT"): R =>
  rule(on, {
    from: ["HELD"],
    to: "FREE",
    change: () => free,
    emits: (_, { at, actor, why }) => [
      { machine: "holder", event: { type: "CANCEL", at, actor, why, quiet: true } },
    ],
  });

const rules: readonly R[] = [
  rule("CLAIM", {
    from: ["FREE"],
    to: "HELD",
    guard: (_, event) => {
      if (event.holderId === event.authorId) return no("own_work", "nobody reviews their own work");
      return event.leaseUntil > event.at || no("no_expiry", "a lease must end in the future");
    },
    change: (lease, event) => ({
      taskId: event.taskId,
      holderId: event.holderId,
      leaseUntil: event.leaseUntil,
      token: lease.token + 1,
    }),
  }),
  rule("RENEW", {
    from: ["HELD"],
    to: "unchanged",
    guard: holds,
    change: (_, event) => ({ leaseUntil: event.leaseUntil }),
  }),
  rule("VERDICT", { from: ["HELD"], to: "FREE", guard: holds, change: () => free }),
  ends("EXPIRE"),
  ends("NEW_COMMIT"),
];

export const reviewLeaseMachine: Machine<
  ReviewLeaseState,
  ReviewLeaseRecord,
  ReviewLeaseEvent,
  never,
  ReviewLeaseEmission
> = {
  name: "review_lease",
  states: REVIEW_LEASE_STATES,
  terminal: [],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** A lease that nobody has claimed yet. */
export const blankReviewLease: ReviewLeaseRecord = {
  id: 0,
  version: 0,
  state: "FREE",
  taskId: 0,
  holderId: null,
  leaseUntil: null,
  token: 0,
};
