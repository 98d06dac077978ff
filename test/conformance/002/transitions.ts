import type { RunEvent } from "../../../src/domain/agents/run.ts";
import type { Row } from "../disagreements.ts";
import type { State002 } from "./states.ts";

/**
 * The matrix of valid transitions, as the document gives it twice: as a table and as a map in code. What it leaves out is
 * forbidden, staying in a state too. From `paused` only the state that it was paused from and `cancelled` are meant.
 */
export const MATRIX: Readonly<Record<State002, readonly State002[]>> = {
  idle: ["initializing"],
  initializing: ["planning", "failed", "paused", "cancelled"],
  planning: ["executing", "failed", "paused", "cancelled"],
  executing: ["evaluating", "waiting_input", "waiting_agent", "failed", "paused", "cancelled"],
  evaluating: ["executing", "adapting", "succeeded", "failed", "paused", "cancelled"],
  adapting: ["executing", "failed", "paused", "cancelled"],
  waiting_input: ["executing", "failed", "paused", "cancelled"],
  waiting_agent: ["executing", "failed", "paused", "cancelled"],
  succeeded: ["idle"],
  failed: ["idle"],
  paused: [
    "initializing",
    "planning",
    "executing",
    "evaluating",
    "adapting",
    "waiting_input",
    "waiting_agent",
    "cancelled",
  ],
  cancelled: ["idle"],
};

/** The states that it can be paused in. */
export const PAUSABLE = MATRIX.paused.filter((state) => state !== "cancelled");

/** The document's table of states names fewer moves than its matrix; the end states' way to idle is "after cleanup". */
export const SUMMARY: Readonly<Record<State002, readonly State002[]>> = {
  idle: ["initializing"],
  initializing: ["planning", "failed"],
  planning: ["executing", "failed"],
  executing: ["evaluating", "waiting_input", "failed"],
  evaluating: ["adapting", "succeeded", "executing"],
  adapting: ["executing", "failed"],
  waiting_input: ["executing", "cancelled"],
  waiting_agent: ["executing", "cancelled"],
  succeeded: ["idle"],
  failed: ["idle"],
  paused: PAUSABLE,
  cancelled: ["idle"],
};

/** Moves that the matrix has and the table of states does not: the document is at odds with itself, and the matrix holds. */
export const ONLY_IN_MATRIX: Readonly<Record<State002, readonly State002[]>> = {
  idle: [],
  initializing: ["paused", "cancelled"],
  planning: ["paused", "cancelled"],
  executing: ["waiting_agent", "paused", "cancelled"],
  evaluating: ["failed", "paused", "cancelled"],
  adapting: ["paused", "cancelled"],
  waiting_input: ["failed", "paused"],
  waiting_agent: ["failed", "paused"],
  succeeded: [],
  failed: [],
  paused: ["cancelled"],
  cancelled: [],
};

/** Moves of the matrix that none of the document's events makes, and our event for each. */
export const WITHOUT_EVENT: readonly {
  readonly from: State002;
  readonly to: State002;
  readonly ours: RunEvent["type"];
}[] = [
  { from: "executing", to: "waiting_input", ours: "INPUT_NEEDED" },
  { from: "executing", to: "waiting_agent", ours: "AGENT_NEEDED" },
  { from: "evaluating", to: "executing", ours: "NEXT_STEP" },
  { from: "failed", to: "idle", ours: "RESET" },
];

/** Ends that its clean-up forgets, and that are kept here (`end_is_kept`). */
export const KEPT: readonly State002[] = ["succeeded", "cancelled"];

/** Events that it takes in any state, and that nothing here can tell in these (`failure_from_any_state`). */
export const NARROWER: Partial<Record<RunEvent["type"], readonly State002[]>> = {
  STEP_FAILED: ["waiting_input"],
  MAX_ITERATIONS: ["initializing", "planning", "executing", "adapting"],
};

/** Moves of ours between states of the document that it forbids, with the row of the design's disagreements that says why. */
export const BEYOND: readonly {
  readonly from: readonly State002[];
  readonly to: State002;
  readonly ours: RunEvent["type"];
  readonly row: Row;
}[] = [
  { from: ["evaluating"], to: "waiting_input", ours: "INPUT_NEEDED", row: "beyond_the_sources" },
  {
    from: [
      "initializing",
      "planning",
      "executing",
      "evaluating",
      "adapting",
      "waiting_input",
      "waiting_agent",
      "paused",
    ],
    to: "succeeded",
    ours: "OBSERVED_DONE",
    row: "any_to_merged",
  },
];
