import type { RunState } from "../../../src/domain/agents/run.ts";

/** Document 000, the lifecycle of one execution: its states and what it says of each. */
export type Theirs = "idle" | "starting" | "running" | "paused" | "error" | "completed";

interface StateFacts {
  /** Ours that stand for it. */
  readonly ours: readonly RunState[];
  readonly runsTools: boolean;
  /** What it publishes while in it. */
  readonly emits: readonly string[];
  /** What a caller may send. */
  readonly accepts: readonly ("START" | "RESUME" | "retry" | "abort")[];
  readonly canStart: boolean;
  readonly hasTask: boolean;
  readonly holdsResources: boolean;
  readonly also?: "awaitingInput" | "requiresDecision";
}

export const STATES: Readonly<Record<Theirs, StateFacts>> = {
  idle: {
    ours: ["idle"],
    runsTools: false,
    emits: [],
    accepts: ["START"],
    canStart: true,
    hasTask: false,
    holdsResources: false,
  },
  starting: {
    ours: ["initializing"],
    runsTools: false,
    emits: ["agent:starting"],
    accepts: [],
    canStart: false,
    hasTask: true,
    holdsResources: true,
  },
  running: {
    ours: ["planning", "executing", "evaluating", "adapting"],
    runsTools: true,
    emits: ["agent:step", "tool:start", "tool:running", "tool:result"],
    accepts: [],
    canStart: false,
    hasTask: true,
    holdsResources: true,
  },
  paused: {
    ours: ["waiting_input", "waiting_agent", "waiting_approval", "paused"],
    runsTools: false,
    emits: ["agent:paused"],
    accepts: ["RESUME"],
    canStart: false,
    hasTask: true,
    holdsResources: true,
    also: "awaitingInput",
  },
  error: {
    ours: ["error"],
    runsTools: false,
    emits: ["agent:error"],
    accepts: ["retry", "abort"],
    canStart: false,
    hasTask: true,
    holdsResources: true,
    also: "requiresDecision",
  },
  completed: {
    ours: ["succeeded"],
    runsTools: false,
    emits: ["agent:completed"],
    accepts: [],
    canStart: true,
    hasTask: false,
    holdsResources: false,
  },
};

/** Ours that it has no word for: how an execution ended, which it forgets with the clean-up. */
export const UNNAMED: readonly RunState[] = ["failed", "cancelled"];

export const THEIR_STATES: readonly Theirs[] = [
  "idle",
  "starting",
  "running",
  "paused",
  "error",
  "completed",
];

/**
 * The ways by which each of ours is reached in the suite, so that what a pause or an error remembers is told apart.
 * The last state of a way is the one that it stands for.
 */
export const WAYS: Readonly<Record<Theirs, readonly (readonly RunState[])[]>> = {
  idle: [["idle"], ["failed", "idle"]],
  starting: [["initializing"]],
  running: [["planning"], ["executing"], ["evaluating"], ["adapting"]],
  paused: [
    ["waiting_input"],
    ["waiting_agent"],
    ["waiting_approval"],
    ["planning", "paused"],
    ["executing", "paused"],
    ["evaluating", "paused"],
    ["adapting", "paused"],
    ["waiting_input", "paused"],
    ["waiting_agent", "paused"],
    ["waiting_approval", "paused"],
  ],
  error: [
    ["initializing", "error"],
    ["planning", "error"],
    ["executing", "error"],
    ["evaluating", "error"],
    ["adapting", "error"],
  ],
  completed: [["succeeded"]],
};
