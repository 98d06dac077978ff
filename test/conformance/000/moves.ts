import type { RunState } from "../../../src/domain/agents/run.ts";
import type { Row } from "../disagreements.ts";
import type { Pattern } from "../walker.ts";
import type { Theirs } from "./states.ts";

export type TheirEvent = "START" | "STEP" | "PAUSE" | "RESUME" | "ERROR" | "COMPLETE" | "ABORT";

/** Its events, and ours that stand for each. */
export const EVENTS: Readonly<Record<TheirEvent, readonly string[]>> = {
  START: ["START"],
  STEP: ["INIT_COMPLETE", "PLAN_COMPLETE", "STEP", "NEXT_STEP", "ADAPTATION_COMPLETE"],
  PAUSE: ["PAUSE", "INPUT_NEEDED", "AGENT_NEEDED", "APPROVAL_NEEDED"],
  RESUME: ["RESUME", "INPUT_RECEIVED", "AGENT_COMPLETE", "CONTINUE", "APPROVE", "DENY", "RETRY"],
  ERROR: ["ERROR", "STEP_FAILED"],
  COMPLETE: ["STEP_COMPLETE", "EVALUATION_PASS", "COMPLETE"],
  ABORT: ["CANCEL"],
};

/** Ours that it has no event for, and why. */
export const UNNAMED_EVENTS: Readonly<Record<string, string>> = {
  RESET: "the way back to idle, which it writes as an action of the move",
  EVALUATION_FAIL: "it checks no claim",
  OBSERVED_DONE: "it knows no merge on GitHub",
  TIMEOUT: "it has no limit of time",
  MAX_ITERATIONS: "it does not count wakes",
};

/** Where a move of ours may pass before the one that the row is about. */
const INTENT_FIRST = ["PLAN_COMPLETE", "ADAPTATION_COMPLETE"];

const recoverable = { type: "ERROR", recoverable: true };
const unrecoverable = { type: "ERROR", recoverable: false };
const belowLimit = { type: "STEP", atLimit: false };
const atLimit = { type: "STEP", atLimit: true };

export interface Move {
  readonly row: number | "matrix";
  readonly from: Theirs;
  readonly event: TheirEvent;
  readonly guards: readonly string[];
  readonly actions: readonly string[];
  readonly to: Theirs;
  /** Ours: the events that lead there from every state that stands for `from`. */
  readonly by: readonly Pattern[];
  /** Where ours ends, where that is none of the states that stand for `to`. */
  readonly ends?: RunState;
  /** The disagreement that it falls under. */
  readonly ruled?: Row;
}

/** Its table of fifteen rows, and the one move that only its matrix and its configuration have. */
export const MOVES: readonly Move[] = [
  move(1, "idle", "START", ["hasValidTask"], ["initializeExecution", "updateStatus"], "starting", ["START"]),
  move(2, "starting", "STEP", [], ["incrementTurn", "updateStatus"], "running", ["INIT_COMPLETE"]),
  move(3, "starting", "ERROR", [], ["captureError", "updateStatus"], "error", [recoverable]),
  move(
    4,
    "running",
    "STEP",
    ["withinTurnLimit"],
    ["executeToolCall", "auditToolCall", "incrementTurn", "publishEvent"],
    "running",
    [belowLimit, "NEXT_STEP"],
  ),
  {
    ...move(5, "running", "STEP", ["atTurnLimit"], ["publishEvent", "updateStatus"], "paused", [
      atLimit,
      "NEXT_STEP",
    ]),
    ruled: "turn_limit",
  },
  move(6, "running", "PAUSE", ["canPause"], ["updateStatus", "publishEvent"], "paused", ["PAUSE"]),
  move(7, "running", "COMPLETE", [], ["updateStatus", "publishEvent", "cleanup"], "completed", [
    ...INTENT_FIRST,
    "STEP_COMPLETE",
    "EVALUATION_PASS",
  ]),
  move(8, "running", "ERROR", ["isRecoverable"], ["captureError", "updateStatus"], "error", [recoverable]),
  {
    ...move(9, "running", "ERROR", ["!isRecoverable"], ["captureError", "updateStatus", "cleanup"], "idle", [
      unrecoverable,
    ]),
    ends: "failed",
    ruled: "unrecoverable_error",
  },
  aborted(move(10, "running", "ABORT", [], ["updateStatus", "cleanup"], "idle", ["CANCEL"])),
  move(11, "paused", "RESUME", ["canResume"], ["updateStatus", "publishEvent"], "running", [
    "RESUME",
    "INPUT_RECEIVED",
    "AGENT_COMPLETE",
    "CONTINUE",
  ]),
  aborted(move(12, "paused", "ABORT", [], ["updateStatus", "cleanup"], "idle", ["CANCEL"])),
  move(13, "error", "RESUME", ["canResume", "isRecoverable"], ["updateStatus"], "running", [
    "RETRY",
    "INIT_COMPLETE",
  ]),
  aborted(move(14, "error", "ABORT", [], ["cleanup", "updateStatus"], "idle", ["CANCEL"])),
  {
    ...move(15, "completed", "START", ["hasValidTask"], ["initializeExecution", "updateStatus"], "starting", [
      "START",
    ]),
    ruled: "completed_is_final_yet_starts",
  },
  {
    ...aborted(move("matrix", "starting", "ABORT", [], ["cleanup", "updateStatus"], "idle", ["CANCEL"])),
    ruled: "abort_while_starting",
  },
];

/** Its reasons to pause, and how ours comes to wait for each. */
export const PAUSES: readonly {
  readonly reason: string;
  readonly by: readonly Pattern[];
  readonly at: RunState;
}[] = [
  { reason: "user_input", by: [...INTENT_FIRST, "INPUT_NEEDED"], at: "waiting_input" },
  {
    reason: "approval_required",
    by: [...INTENT_FIRST, "NEXT_STEP", "APPROVAL_NEEDED"],
    at: "waiting_approval",
  },
  { reason: "confirmation", by: [...INTENT_FIRST, "NEXT_STEP", "APPROVAL_NEEDED"], at: "waiting_approval" },
];

function move(
  row: Move["row"],
  from: Theirs,
  event: TheirEvent,
  guards: readonly string[],
  actions: readonly string[],
  to: Theirs,
  by: readonly Pattern[],
): Move {
  return { row, from, event, guards, actions, to, by };
}

function aborted(one: Move): Move {
  return { ...one, ends: "cancelled", ruled: "end_is_kept" };
}

/** Its matrix of what is valid; everything else is invalid or does nothing. */
export const MATRIX: Readonly<Record<Theirs, readonly TheirEvent[]>> = {
  idle: ["START"],
  starting: ["STEP", "ERROR", "ABORT"],
  running: ["STEP", "PAUSE", "ERROR", "COMPLETE", "ABORT"],
  paused: ["RESUME", "ABORT"],
  error: ["RESUME", "ABORT"],
  completed: ["START"],
};

/** The moves of its machine configuration: state, event, ends in the order in which their guards are tried. */
export const CONFIGURATION: Readonly<Record<Theirs, Partial<Record<TheirEvent, readonly Theirs[]>>>> = {
  idle: { START: ["starting"] },
  starting: { STEP: ["running"], ERROR: ["error"], ABORT: ["idle"] },
  running: {
    STEP: ["running", "paused"],
    PAUSE: ["paused"],
    COMPLETE: ["completed"],
    ERROR: ["error", "idle"],
    ABORT: ["idle"],
  },
  paused: { RESUME: ["running"], ABORT: ["idle"] },
  error: { RESUME: ["running"], ABORT: ["idle"] },
  completed: { START: ["starting"] },
};

/** What it calls invalid and ours takes: where it leads, and the row that rules it; `stays` = no move in its words. */
export const TAKEN: readonly {
  readonly from: Theirs;
  readonly state: string;
  readonly event: Pattern;
  readonly to: string;
  readonly ruled: Row | "stays";
}[] = [
  { from: "starting", state: "initializing", event: "PAUSE", to: "paused", ruled: "pause_while_starting" },
  { from: "paused", state: "waiting_input", event: "PAUSE", to: "paused", ruled: "stays" },
  { from: "paused", state: "waiting_agent", event: "PAUSE", to: "paused", ruled: "stays" },
  { from: "paused", state: "waiting_approval", event: "PAUSE", to: "paused", ruled: "stays" },
  ...(["waiting_agent", "waiting_approval"] as const).map((state) => ({
    from: "paused" as const,
    state,
    event: "STEP_FAILED",
    to: "failed",
    ruled: "failure_from_any_state" as const,
  })),
  {
    from: "paused",
    state: "waiting_approval",
    event: "COMPLETE",
    to: "succeeded",
    ruled: "turn_limit",
  },
  {
    from: "error",
    state: "error",
    event: "STEP_FAILED",
    to: "failed",
    ruled: "failure_from_any_state",
  },
];
