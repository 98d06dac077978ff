import type { AgentState } from "../../../src/domain/agents/agent-record.ts";

/** Document 004's six states of an agent; ours have the same names. */
export const STATES_004 = [
  "CREATED",
  "ACTIVE",
  "SLEEPING",
  "COMPLETED",
  "FAILED",
  "ESCALATED",
] as const satisfies readonly AgentState[];
export type State004 = (typeof STATES_004)[number];

/** States of ours that it has not: people end work that nobody wants any more. */
export const OURS_ONLY: readonly AgentState[] = ["CANCELLED"];

/** Its moves, what makes each, and our events for it. */
export const MOVES: readonly {
  readonly from: State004;
  readonly to: State004;
  readonly by: string;
  readonly ours: readonly string[];
}[] = [
  { from: "CREATED", to: "ACTIVE", by: "the creation itself", ours: ["START"] },
  { from: "ACTIVE", to: "SLEEPING", by: "report_blocked", ours: ["BLOCKED", "WAIT", "PAUSE"] },
  { from: "SLEEPING", to: "ACTIVE", by: "a wake", ours: ["WAKE"] },
  { from: "ACTIVE", to: "COMPLETED", by: "report_complete", ours: ["COMPLETE"] },
  { from: "ACTIVE", to: "FAILED", by: "an exception, or the time breaker", ours: ["FAIL"] },
  { from: "ACTIVE", to: "ESCALATED", by: "escalate_to_human", ours: ["ESCALATE"] },
];

/** Moves of ours that it does not name, and why they are there. */
export const BEYOND: readonly {
  readonly from: State004;
  readonly to: State004;
  readonly ours: readonly string[];
  readonly why: string;
}[] = [
  {
    from: "CREATED",
    to: "COMPLETED",
    ours: ["COMPLETE"],
    why: "a person merged or took the work before it began",
  },
  {
    from: "SLEEPING",
    to: "COMPLETED",
    ours: ["COMPLETE"],
    why: "the checks it waited for passed, or a person merged",
  },
  {
    from: "ESCALATED",
    to: "COMPLETED",
    ours: ["COMPLETE"],
    why: "a person merged or took the work as it is",
  },
  {
    from: "SLEEPING",
    to: "ESCALATED",
    ours: ["ESCALATE", "EXPIRE", "WAKE"],
    why: "the wake limit, or a sleep past its deadline, asks a person",
  },
  { from: "ESCALATED", to: "ACTIVE", ours: ["RESUME"], why: "the person who was asked has answered" },
];

/** The one arrow of its picture that we have, for reasons of our own. */
const DRAWN_FOR_US: readonly [State004, State004] = ["SLEEPING", "COMPLETED"];

/** Its picture of the states is a column of arrows; read as moves, these would be among them. */
export const DRAWN_ONLY: readonly (readonly [State004, State004])[] = [
  DRAWN_FOR_US,
  ["COMPLETED", "FAILED"],
  ["FAILED", "ESCALATED"],
];
export const DRAWN_AND_OURS: readonly (readonly [State004, State004])[] = [DRAWN_FOR_US];
