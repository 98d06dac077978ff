import { describe, expect, it } from "vitest";
import {
  blankRun,
  isLiveRun,
  RUN_STATES,
  type RunEvent,
  type RunRecord,
  runMachine,
  runRecord,
} from "../../../src/domain/agents/run.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { AT } from "../../factories/moment.ts";
import { aRun } from "../../factories/records.ts";
import { type Arrow, arrowsOf, printArrow } from "../machines/arrow.ts";
import { machineContract, type Witness } from "../machines/machine-contract.ts";
import { moved } from "../machines/moved.ts";
import { RUN_TABLE } from "../machines/run-table.ts";

const base = { at: AT, actor: "flotilla" };

function eventFor({ event, to }: Arrow): RunEvent {
  const type = runMachine.events.find((known) => known === event);
  switch (type) {
    case undefined:
      throw new Error(`the run has no event ${event}`);
    case "STEP":
      return { ...base, type, atLimit: to === "waiting_approval" };
    case "INPUT_NEEDED":
    case "AGENT_NEEDED":
    case "APPROVAL_NEEDED":
      return { ...base, type, waitingFor: "somebody" };
    case "EVALUATION_FAIL":
      return { ...base, type, missing: "a test", maxBounces: to === "adapting" ? 3 : 0 };
    case "ERROR":
      return { ...base, type, recoverable: to === "error", error: "it broke", code: "internal_error" };
    case "STEP_FAILED":
    case "TIMEOUT":
    case "MAX_ITERATIONS":
      return { ...base, type, error: "it broke", code: "internal_error" };
    default:
      return { ...base, type };
  }
}

const witness = (arrow: Arrow): Witness<RunRecord, RunEvent> => {
  const back = arrow.event === "RESUME" || arrow.event === "RETRY";
  const target = RUN_STATES.find((state) => state === arrow.to) ?? null;
  return { event: eventFor(arrow), ...(back ? { snapshot: { remembered: target } } : {}) };
};

machineContract({
  machine: runMachine,
  blank: blankRun,
  start: "idle",
  witness,
  terminalTakes: ["RESET"],
  // A pause or an error at each phase is a snapshot of its own, and so is a run without bounces left.
  key: ({ state, remembered, bounces }) => `${state} ${remembered} ${bounces > 0}`,
});

const after = (run: RunRecord, event: RunEvent) => step(runMachine, run, event);
const plain = (type: "PAUSE" | "RESUME" | "RETRY" | "RESET" | "CONTINUE") => ({ ...base, type }) as const;

describe("the run's table", () => {
  it("has exactly the arrows of the design", () => {
    expect(arrowsOf(runMachine).map(printArrow).toSorted()).toEqual(RUN_TABLE);
  });

  it("begins with a record that can be stored and says nothing yet", () => {
    expect(runRecord.parse(blankRun)).toEqual(blankRun);
    expect(Object.values(blankRun).filter((value) => typeof value === "string")).toEqual(["idle"]);
  });

  it("counts a run as live from its start to its end", () => {
    expect(RUN_STATES.filter((state) => !isLiveRun({ state }))).toEqual([
      "idle",
      "succeeded",
      "failed",
      "cancelled",
    ]);
  });
});

describe("a run", () => {
  it("counts its steps, and at the turn limit waits for a person's word", () => {
    expect(after(aRun({ step: 4 }), { ...base, type: "STEP", atLimit: false })).toMatchObject({
      snapshot: { state: "executing", step: 5 },
    });
    expect(after(aRun({ step: 4 }), { ...base, type: "STEP", atLimit: true })).toMatchObject({
      snapshot: { state: "waiting_approval", step: 4, waitingFor: "max_turns" },
    });
  });

  it.each([
    ["planning", "PLAN_COMPLETE"],
    ["adapting", "ADAPTATION_COMPLETE"],
  ] as const)("keeps the plan that ends %s, and without one the plan before", (state, type) => {
    const run = aRun({ state, plan: "1. Write it." });
    expect(after(run, { ...base, type, plan: "1. Test it." })).toMatchObject({
      snapshot: { state: "executing", plan: "1. Test it." },
    });
    expect(after(run, { ...base, type })).toMatchObject({ snapshot: { plan: "1. Write it." } });
  });

  it("bounces a claim while bounces are left and remembers what was missing", () => {
    const fail: RunEvent = { ...base, type: "EVALUATION_FAIL", missing: "a test", maxBounces: 3 };
    expect(after(aRun({ state: "evaluating", bounces: 2 }), fail)).toMatchObject({
      snapshot: { state: "adapting", bounces: 3, error: "a test" },
    });
    expect(after(aRun({ state: "evaluating", bounces: 3 }), fail)).toMatchObject({
      snapshot: { state: "failed", bounces: 3, error: "a test" },
    });
  });

  it("counts each time that it comes to evaluating, over bounces and waits", () => {
    const evaluating = after(aRun({ iteration: 1 }), { ...base, type: "STEP_COMPLETE" });
    expect(evaluating).toMatchObject({ snapshot: { state: "evaluating", iteration: 2 } });
    const fail: RunEvent = { ...base, type: "EVALUATION_FAIL", missing: "a test", maxBounces: 3 };
    expect(after(moved(evaluating).snapshot, fail)).toMatchObject({ snapshot: { iteration: 2 } });
  });

  it("keeps the evaluator's last word, whichever way it fell, and what was said before where nobody was asked", () => {
    const failed = { type: "EVALUATION_FAIL", missing: "a test", maxBounces: 3 } as const;
    const spoken = [failed, { type: "EVALUATION_PASS" } as const].flatMap((event) =>
      [0, 3].flatMap((bounces) =>
        [0.9, null].map(
          (confidence) =>
            moved(
              after(aRun({ state: "evaluating", bounces, confidence: 0.4 }), {
                ...base,
                ...event,
                confidence,
              }),
            ).snapshot.confidence,
        ),
      ),
    );
    expect(spoken).toEqual([0.9, 0.4, 0.9, 0.4, 0.9, 0.4, 0.9, 0.4]);
  });

  it("goes back after a pause to where it was, and knows that it did", () => {
    const paused = after(aRun({ state: "waiting_agent", waitingFor: "#7" }), plain("PAUSE"));
    expect(paused).toMatchObject({ snapshot: { state: "paused", remembered: "waiting_agent" } });
    expect(after(moved(paused).snapshot, plain("RESUME"))).toMatchObject({
      snapshot: { state: "waiting_agent", remembered: null, waitingFor: "#7" },
    });
  });

  it("goes back after a recoverable error to the phase it was in", () => {
    const error = {
      ...base,
      type: "ERROR",
      recoverable: true,
      error: "it died",
      code: "process_died",
    } as const;
    const broken = after(aRun({ state: "planning" }), error);
    expect(broken).toMatchObject({
      snapshot: { state: "error", remembered: "planning", error: "it died", errorCode: "process_died" },
    });
    expect(after(moved(broken).snapshot, plain("RETRY"))).toMatchObject({
      snapshot: { state: "planning", remembered: null, error: null, errorCode: null },
    });
  });

  it.each([
    ["paused", plain("RESUME")],
    ["error", plain("RETRY")],
  ] as const)("has nothing to resume in %s without a remembered state", (state, event) => {
    expect(after(aRun({ state, remembered: null }), event)).toMatchObject({
      ok: false,
      code: "nothing_to_resume",
      rule: "nothing_to_resume",
      reason: `there is nothing to go back to from ${state}`,
    });
  });

  it.each(["waiting_input", "waiting_agent", "waiting_approval", "paused", "error"] as const)(
    "meets no error in %s: nobody works then",
    (state) => {
      for (const recoverable of [true, false]) {
        const error = {
          ...base,
          type: "ERROR",
          recoverable,
          error: "it died",
          code: "process_died",
        } as const;
        expect(after(aRun({ state }), error)).toMatchObject({ ok: false, code: "no_such_transition" });
      }
    },
  );

  it("forgets what it waited for when it continues, and what it remembered when it is reset", () => {
    expect(
      after(aRun({ state: "waiting_approval", waitingFor: "max_turns" }), plain("CONTINUE")),
    ).toMatchObject({ snapshot: { state: "executing", waitingFor: null } });
    const failed = aRun({
      state: "failed",
      remembered: "planning",
      waitingFor: "#7",
      bounces: 3,
      error: "x",
      errorCode: "no_sign_of_life",
    });
    expect(after(failed, plain("RESET"))).toMatchObject({
      snapshot: {
        state: "idle",
        remembered: null,
        waitingFor: null,
        bounces: 0,
        error: null,
        errorCode: null,
      },
    });
  });
});
