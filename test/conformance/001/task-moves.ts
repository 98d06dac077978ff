import type { Row } from "../disagreements.ts";
import type { Pattern } from "../walker.ts";

/** Document 001, the machines of a team's board: its tasks. Its words for them are ours too. */
export const TASK_STATES = [
  "DRAFT",
  "UNCLAIMED",
  "CLAIMED",
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "MERGED",
  "BLOCKED",
  "SUPERSEDED",
  "ABANDONED",
  "INTEGRATION_FAILED",
] as const;
export const TERMINAL = ["MERGED", "SUPERSEDED", "ABANDONED"] as const;
type State = (typeof TASK_STATES)[number];

export interface TaskMove {
  readonly from: State;
  /** The word on its arrow; its table has none. */
  readonly word: string;
  readonly to: State;
  /** Our event for it. */
  readonly by: Pattern;
}

/** Its table of states, with the words of its diagram. */
export const MOVES: readonly TaskMove[] = [
  { from: "DRAFT", word: "finalize", to: "UNCLAIMED", by: "FINALIZE" },
  { from: "UNCLAIMED", word: "claim", to: "CLAIMED", by: "CLAIM" },
  { from: "CLAIMED", word: "request_review", to: "READY_FOR_REVIEW", by: "REQUEST_REVIEW" },
  { from: "CLAIMED", word: "blocked", to: "BLOCKED", by: "BLOCK" },
  { from: "READY_FOR_REVIEW", word: "approve", to: "APPROVED", by: "APPROVE" },
  { from: "READY_FOR_REVIEW", word: "reject", to: "REJECTED", by: "REJECT" },
  { from: "REJECTED", word: "resume", to: "CLAIMED", by: "RECLAIM" },
  { from: "APPROVED", word: "merge", to: "MERGED", by: "MERGE" },
  { from: "APPROVED", word: "conflict", to: "INTEGRATION_FAILED", by: "INTEGRATION_FAIL" },
  { from: "BLOCKED", word: "rescope", to: "UNCLAIMED", by: "RESCOPE" },
  { from: "BLOCKED", word: "supersede", to: "SUPERSEDED", by: "SUPERSEDE" },
  { from: "BLOCKED", word: "abandon", to: "ABANDONED", by: "ABANDON" },
  { from: "INTEGRATION_FAILED", word: "claim (integration-fix)", to: "CLAIMED", by: "CLAIM_FIX" },
];

/** The arrows of its diagram that its table does not have, and the other way round. */
export const DIAGRAM_DIFFERS: Readonly<{ ruled: Row; drawn: readonly string[]; listed: readonly string[] }> =
  {
    ruled: "rescope_leads",
    drawn: ["BLOCKED rescope SUPERSEDED"],
    listed: ["BLOCKED rescope UNCLAIMED", "BLOCKED supersede SUPERSEDED"],
  };

/** Its diagram, arrow by arrow. */
export const DIAGRAM: readonly string[] = [
  "DRAFT finalize UNCLAIMED",
  "UNCLAIMED claim CLAIMED",
  "CLAIMED request_review READY_FOR_REVIEW",
  "CLAIMED blocked BLOCKED",
  "READY_FOR_REVIEW approve APPROVED",
  "READY_FOR_REVIEW reject REJECTED",
  "REJECTED resume CLAIMED",
  "APPROVED merge MERGED",
  "APPROVED conflict INTEGRATION_FAILED",
  "BLOCKED rescope SUPERSEDED",
  "BLOCKED abandon ABANDONED",
  "INTEGRATION_FAILED claim (integration-fix) CLAIMED",
];

/** Moves of ours that its table does not have. */
export const BEYOND: readonly {
  readonly from: readonly State[];
  readonly to: State;
  readonly by: string;
  /** Or a requirement that it has for the move, though its table does not list it. */
  readonly ruled: Row | "required";
  /** Where the task must have been before. */
  readonly after?: State;
}[] = [
  {
    from: ["CLAIMED", "READY_FOR_REVIEW", "REJECTED", "APPROVED", "INTEGRATION_FAILED"],
    to: "UNCLAIMED",
    by: "RELEASE",
    ruled: "beyond_the_sources",
  },
  {
    from: ["CLAIMED"],
    to: "INTEGRATION_FAILED",
    by: "RELEASE",
    ruled: "beyond_the_sources",
    after: "INTEGRATION_FAILED",
  },
  { from: ["APPROVED"], to: "READY_FOR_REVIEW", by: "NEW_COMMIT", ruled: "beyond_the_sources" },
  { from: ["APPROVED"], to: "REJECTED", by: "REJECT", ruled: "beyond_the_sources" },
  { from: ["READY_FOR_REVIEW"], to: "REJECTED", by: "CHECKS_FAIL", ruled: "beyond_the_sources" },
  { from: ["REJECTED"], to: "BLOCKED", by: "BLOCK", ruled: "beyond_the_sources" },
  {
    from: TASK_STATES.filter((state) => !(TERMINAL as readonly State[]).includes(state)),
    to: "ABANDONED",
    by: "OBSERVED_CLOSED",
    ruled: "beyond_the_sources",
  },
  {
    from: TASK_STATES.filter((state) => !(TERMINAL as readonly State[]).includes(state)),
    to: "MERGED",
    by: "OBSERVED_MERGED",
    ruled: "any_to_merged",
  },
  { from: ["REJECTED"], to: "CLAIMED", by: "REASSIGN", ruled: "required" },
];

/** Moves of ours that lead nowhere else: nothing happens in its words. */
export const STAYS: readonly string[] = [
  // The work begins anew on another base branch.
  "DRAFT RETARGET",
  "UNCLAIMED RETARGET",
  "READY_FOR_REVIEW APPROVE",
  "READY_FOR_REVIEW NEW_COMMIT",
  // A clean merge of the base branch is the same work: the approval stays.
  "APPROVED NEW_COMMIT",
];

/** What it forbids by name: without the events named, there is no way at all. */
export const FORBIDDEN: readonly {
  readonly from: State;
  readonly to: State;
  readonly why: string;
  readonly without: readonly string[];
}[] = [
  {
    from: "DRAFT",
    to: "CLAIMED",
    why: "a draft is not claimed before it is finalised",
    without: ["FINALIZE"],
  },
  {
    from: "CLAIMED",
    to: "MERGED",
    why: "nothing is merged without a review",
    without: ["APPROVE", "OBSERVED_MERGED"],
  },
  { from: "CLAIMED", to: "APPROVED", why: "nobody approves their own work", without: ["REQUEST_REVIEW"] },
  {
    from: "REJECTED",
    to: "APPROVED",
    why: "what was rejected is worked on first",
    without: ["RECLAIM", "REASSIGN", "CLAIM"],
  },
];
