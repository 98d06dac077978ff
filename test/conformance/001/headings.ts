import type { Heading } from "../headings.ts";

/** The headings of document 001 in their order. */
export const HEADINGS: readonly Heading[] = [
  ["State Machines", { by: ["the task's states", "the agent's states", "the goal", "the sprint"] }],
  ["Task State Machine", { by: ["the task's states", "the task's moves"] }],
  ["Task State Diagram", { by: ["the task's moves"] }],
  ["Forbidden Transitions", { by: ["the forbidden moves"] }],
  [
    "Transition Requirements",
    { by: ["the requirements of a move", "the rounds of review", "the worktree at a change of hands"] },
  ],
  ["Review Lease Lifecycle", { by: ["the review lease"] }],
  ["Agent State Machine", { by: ["the agent's states", "the agent's moves"] }],
  ["Agent State Diagram", { by: ["the agent's moves", "the failure to register", "the disagreements"] }],
  ["Goal State Machine", { by: ["the goal"] }],
  ["Sprint State Machine", { by: ["the sprint"] }],
  ["Sprint Transition Triggers", { by: ["the triggers of a sprint", "the files of a person"] }],
  ["Exit Codes", { by: ["the exit codes"] }],
  ["Exit Code 0 Semantics", { by: ["the exit codes", "the disagreements"] }],
  ["DRAFT Task Waiting", { by: ["the wait for drafts", "the disagreements"] }],
  [
    "Supervisor Backoff Timing",
    { by: ["the delays of a restart", "the pause after a graceful end", "the wait for drafts"] },
  ],
  [
    "Graceful Abort Triggers (Exit 42)",
    { by: ["the exit codes", "the exit after a broken invariant", "the handoff", "the files of a person"] },
  ],
  ["Exit 42 with Handoff", { by: ["the handoff", "the agent's moves"] }],
  ["Validation Rules", { by: ["the invariants", "the task's states", "the agent's states"] }],
  [
    "Related Documents",
    { because: "It points at other papers of another program, which are no sources here." },
  ],
];
