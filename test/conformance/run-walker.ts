import { blankRun, type RunEvent, type RunRecord, runMachine } from "../../src/domain/agents/run.ts";
import { AT } from "../factories/moment.ts";
import { type Walker, walkerOf } from "./walker.ts";

const base = { at: AT, actor: "flotilla" };

function eventsOf(type: RunEvent["type"]): readonly RunEvent[] {
  switch (type) {
    case "STEP":
      return [
        { ...base, type, atLimit: false },
        { ...base, type, atLimit: true },
      ];
    case "INPUT_NEEDED":
    case "AGENT_NEEDED":
    case "APPROVAL_NEEDED":
      return [{ ...base, type, waitingFor: "somebody" }];
    case "EVALUATION_FAIL":
      return [
        { ...base, type, missing: "a test", maxBounces: 3 },
        { ...base, type, missing: "a test", maxBounces: 0 },
      ];
    case "ERROR":
      return [
        { ...base, type, recoverable: true, error: "it broke", code: "internal_error" },
        { ...base, type, recoverable: false, error: "it broke for good", code: "model_refused" },
      ];
    case "STEP_FAILED":
    case "TIMEOUT":
    case "MAX_ITERATIONS":
      return [{ ...base, type, error: "it broke", code: "internal_error" }];
    default:
      return [{ ...base, type }];
  }
}

/** The Run with each of its events: a step below and at the limit, an error of either kind, bounces left or none. */
export const runWalker: Walker<RunRecord> = walkerOf({
  machine: runMachine,
  blank: { ...blankRun, id: 21, version: 1 },
  start: "blank",
  candidates: () => runMachine.events.flatMap(eventsOf),
  key: ({ state, remembered }) => `${state} ${remembered ?? ""}`,
});
