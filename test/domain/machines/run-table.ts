import { written } from "./arrow.ts";

const WORKING = "initializing planning executing evaluating adapting";
const WAITING = "waiting_input waiting_agent waiting_approval";

const remembered = (from: string, event: string, states: string) =>
  states.split(" ").map((to) => [from, event, to] as const);

/** The Run's table as the design has it, row by row. */
export const RUN_TABLE: readonly string[] = written(
  ["idle", "START", "initializing"],
  ["initializing", "INIT_COMPLETE", "planning"],
  ["planning", "PLAN_COMPLETE", "executing"],
  ["planning executing adapting", "STEP", "="],
  ["planning executing adapting", "STEP", "waiting_approval"],
  ["executing", "STEP_COMPLETE", "evaluating"],
  ["evaluating", "EVALUATION_PASS", "succeeded"],
  ["evaluating", "EVALUATION_FAIL", "adapting"],
  ["evaluating", "EVALUATION_FAIL", "failed"],
  ["evaluating", "NEXT_STEP", "executing"],
  ["adapting", "ADAPTATION_COMPLETE", "executing"],
  ["executing evaluating", "INPUT_NEEDED", "waiting_input"],
  ["executing", "AGENT_NEEDED", "waiting_agent"],
  ["executing", "APPROVAL_NEEDED", "waiting_approval"],
  ["waiting_input", "INPUT_RECEIVED", "executing"],
  ["waiting_agent", "AGENT_COMPLETE", "executing"],
  ["waiting_approval", "CONTINUE/APPROVE", "executing"],
  ["waiting_approval", "DENY", "adapting"],
  ["waiting_approval", "COMPLETE", "succeeded"],
  [`${WORKING} ${WAITING} paused error`, "OBSERVED_DONE", "succeeded"],
  [`${WORKING} ${WAITING}`, "PAUSE", "paused"],
  ...remembered("paused", "RESUME", `${WORKING} ${WAITING}`),
  [WORKING, "ERROR", "error"],
  ...remembered("error", "RETRY", WORKING),
  [WORKING, "ERROR", "failed"],
  [`${WORKING} waiting_agent waiting_approval error`, "STEP_FAILED", "failed"],
  [`${WORKING} ${WAITING} error`, "TIMEOUT", "failed"],
  ["evaluating waiting_input waiting_agent", "MAX_ITERATIONS", "failed"],
  [`${WORKING} ${WAITING} error paused`, "CANCEL", "cancelled"],
  ["failed", "RESET", "idle"],
);
