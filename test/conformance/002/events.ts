import type { RunEvent } from "../../../src/domain/agents/run.ts";
import type { Places } from "../places.ts";
import type { State002 } from "./states.ts";

export const EVENTS_002 = [
  "START",
  "INIT_COMPLETE",
  "PLAN_COMPLETE",
  "STEP_COMPLETE",
  "STEP_FAILED",
  "EVALUATION_PASS",
  "EVALUATION_FAIL",
  "ADAPTATION_COMPLETE",
  "INPUT_RECEIVED",
  "AGENT_COMPLETE",
  "TIMEOUT",
  "MAX_ITERATIONS",
  "PAUSE",
  "RESUME",
  "CANCEL",
] as const satisfies readonly RunEvent["type"][];
export type Event002 = (typeof EVENTS_002)[number];

/** Where the document's events aim: from one state, or from any (`*`), always checked against its matrix afterwards. */
export const AIMS: Readonly<
  Record<Event002, { readonly from: State002 | "*"; readonly to: State002 | "where it was paused" }>
> = {
  START: { from: "idle", to: "initializing" },
  INIT_COMPLETE: { from: "initializing", to: "planning" },
  PLAN_COMPLETE: { from: "planning", to: "executing" },
  STEP_COMPLETE: { from: "executing", to: "evaluating" },
  STEP_FAILED: { from: "*", to: "failed" },
  EVALUATION_PASS: { from: "evaluating", to: "succeeded" },
  EVALUATION_FAIL: { from: "evaluating", to: "adapting" },
  ADAPTATION_COMPLETE: { from: "adapting", to: "executing" },
  INPUT_RECEIVED: { from: "waiting_input", to: "executing" },
  AGENT_COMPLETE: { from: "waiting_agent", to: "executing" },
  TIMEOUT: { from: "*", to: "failed" },
  MAX_ITERATIONS: { from: "*", to: "failed" },
  PAUSE: { from: "*", to: "paused" },
  RESUME: { from: "*", to: "where it was paused" },
  CANCEL: { from: "*", to: "cancelled" },
};

/**
 * What each event carries, field by field, and where it is found with us. The values are shown elsewhere: plans and the
 * outputs of other agents by show-running.ts, errors and confidence by show-record.ts, inputs by `RESUME` in
 * 000/payloads.ts, how long a sleep lasted by test/engine/breakers/run-limits.test.ts, wakes by 004/show-record.ts.
 */
export const PAYLOADS: Readonly<Record<Event002, Places>> = {
  START: { task_id: "run.issue" },
  INIT_COMPLETE: {
    context_loaded: { not: "the event is only made when it is; otherwise the Run has an ERROR" },
  },
  PLAN_COMPLETE: {
    plan_id: "transition.evidence",
    steps: "transition.evidence",
  },
  STEP_COMPLETE: { step_id: "run.step", output: "tool_call.output" },
  STEP_FAILED: { step_id: "run.step", error: "run.error" },
  EVALUATION_PASS: { confidence: "run.confidence" },
  EVALUATION_FAIL: { confidence: "run.confidence", reason: "run.error" },
  ADAPTATION_COMPLETE: { new_plan_id: "transition.evidence" },
  INPUT_RECEIVED: { input_type: "wake.reason", data: "wake.detail" },
  AGENT_COMPLETE: { agent_id: "transition.evidence", output: "transition.evidence" },
  TIMEOUT: { duration_ms: "transition.evidence" },
  MAX_ITERATIONS: { iterations: "agent.wakes" },
  PAUSE: { reason: "transition.reason" },
  RESUME: {},
  CANCEL: { reason: "transition.reason" },
};
