import { z } from "zod";
import type { OtherWork } from "../conversation/other-work.ts";
import { type ErrorCode, errorCode } from "../kernel/error-code.ts";
import { type EventOf, type Machine, no, type Rule, ruleMaker } from "../kernel/state-machine.ts";

/** States of the work of one attempt, from START to its end, across sleeps. */
export const RUN_STATES = [
  "idle",
  "initializing",
  "planning",
  "executing",
  "evaluating",
  "adapting",
  "waiting_input",
  "waiting_agent",
  "waiting_approval",
  "paused",
  "error",
  "succeeded",
  "failed",
  "cancelled",
] as const;
export type RunState = (typeof RUN_STATES)[number];

export const runRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(RUN_STATES),
  agentId: z.int(),
  repositoryId: z.int(),
  issue: z.int(),
  attempt: z.int(),
  /** The state that RESUME or RETRY returns to. */
  remembered: z.enum(RUN_STATES).nullable(),
  plan: z.string().nullable(),
  step: z.int(),
  /** How often the run entered evaluating: each claim, and each evaluation that continues after a wait. */
  iteration: z.int(),
  bounces: z.int(),
  /** The evaluator's last confidence, 0 to 1; null where no evaluator was asked. */
  confidence: z.number().nullable(),
  waitingFor: z.string().nullable(),
  error: z.string().nullable(),
  /** The code of that error; null where there is none. */
  errorCode: errorCode.nullable(),
  createdAt: z.int(),
});
export type RunRecord = z.infer<typeof runRecord>;

interface Base {
  readonly at: number;
  readonly actor: string;
}
interface Failure {
  readonly error: string;
  readonly code: ErrorCode;
}
export type RunEvent = Base &
  (
    | {
        readonly type:
          | "START"
          | "INIT_COMPLETE"
          | "STEP_COMPLETE"
          | "NEXT_STEP"
          | "INPUT_RECEIVED"
          | "CONTINUE"
          | "APPROVE"
          | "DENY"
          | "COMPLETE"
          | "OBSERVED_DONE"
          | "PAUSE"
          | "RESUME"
          | "RETRY"
          | "CANCEL"
          | "RESET";
      }
    | { readonly type: "AGENT_COMPLETE"; readonly outputs?: readonly OtherWork[] }
    | { readonly type: "PLAN_COMPLETE" | "ADAPTATION_COMPLETE"; readonly plan?: string }
    | { readonly type: "STEP"; readonly atLimit: boolean }
    | { readonly type: "INPUT_NEEDED" | "AGENT_NEEDED" | "APPROVAL_NEEDED"; readonly waitingFor: string }
    | { readonly type: "EVALUATION_PASS"; readonly confidence?: number | null }
    | {
        readonly type: "EVALUATION_FAIL";
        readonly missing: string;
        readonly maxBounces: number;
        readonly confidence?: number | null;
      }
    | (Failure & { readonly type: "ERROR"; readonly recoverable: boolean })
    | (Failure & { readonly type: "STEP_FAILED" | "MAX_ITERATIONS" })
    /** `sleptMs` = the length of the sleep that timed out. */
    | (Failure & { readonly type: "TIMEOUT"; readonly sleptMs?: number })
  );

const WORKING = ["initializing", "planning", "executing", "evaluating", "adapting"] as const;
const WAITING = ["waiting_input", "waiting_agent", "waiting_approval"] as const;

type R = Rule<RunState, RunRecord, RunEvent, never, never>;
const rule = ruleMaker<RunState, RunRecord, RunEvent, never, never>();

/** Stores the submitted plan; without one, the earlier plan stays. */
const planned = (on: "PLAN_COMPLETE" | "ADAPTATION_COMPLETE", from: RunState): R =>
  rule(on, {
    from: [from],
    to: "executing",
    change: (_, event) => (event.plan === undefined ? {} : { plan: event.plan }),
  });
type Wait = "INPUT_NEEDED" | "AGENT_NEEDED" | "APPROVAL_NEEDED";
const waiting = (on: Wait, from: readonly RunState[], to: RunState): R =>
  rule(on, { from, to, change: (_, event) => ({ waitingFor: event.waitingFor }) });
const back = (
  from: RunState,
  on: "INPUT_RECEIVED" | "AGENT_COMPLETE" | "CONTINUE" | "APPROVE" | "DENY" | "COMPLETE",
  to: RunState,
): R => rule(on, { from: [from], to, change: () => ({ waitingFor: null }) });
/** Stores the evaluator's confidence; an event without one leaves the last value. */
const evaluated = ({ confidence = null }: { readonly confidence?: number | null }): Partial<RunRecord> =>
  confidence === null ? {} : { confidence };
const unproved = (event: EventOf<RunEvent, "EVALUATION_FAIL">): Partial<RunRecord> => ({
  error: event.missing,
  errorCode: "evidence_missing",
  ...evaluated(event),
});
const failed = (_: RunRecord, { error, code }: Failure): Partial<RunRecord> => ({ error, errorCode: code });
const fails = (on: "STEP_FAILED" | "TIMEOUT" | "MAX_ITERATIONS", from: readonly RunState[]): R =>
  rule(on, { from, to: "failed", change: failed });
const toRemembered = (
  from: "paused" | "error",
  on: "RESUME" | "RETRY",
  targets: readonly RunState[],
): readonly R[] =>
  targets.map((to) =>
    rule(on, {
      from: [from],
      to,
      guard: (run) =>
        run.remembered === to || no("nothing_to_resume", `there is nothing to go back to from ${from}`),
      change: () => ({ remembered: null, error: null, errorCode: null }),
    }),
  );

const rules: readonly R[] = [
  rule("START", { from: ["idle"], to: "initializing" }),
  rule("INIT_COMPLETE", { from: ["initializing"], to: "planning" }),
  planned("PLAN_COMPLETE", "planning"),
  rule("STEP", {
    from: ["planning", "executing", "adapting"],
    to: "unchanged",
    guard: (_, event) => !event.atLimit,
    change: (run) => ({ step: run.step + 1 }),
  }),
  rule("STEP", {
    from: ["planning", "executing", "adapting"],
    to: "waiting_approval",
    change: () => ({ waitingFor: "max_turns" }),
  }),
  rule("STEP_COMPLETE", {
    from: ["executing"],
    to: "evaluating",
    change: (run) => ({ iteration: run.iteration + 1 }),
  }),
  rule("EVALUATION_PASS", { from: ["evaluating"], to: "succeeded", change: (_, event) => evaluated(event) }),
  rule("EVALUATION_FAIL", {
    from: ["evaluating"],
    to: "adapting",
    guard: (run, event) => run.bounces < event.maxBounces,
    change: (run, event) => ({ bounces: run.bounces + 1, ...unproved(event) }),
  }),
  rule("EVALUATION_FAIL", { from: ["evaluating"], to: "failed", change: (_, event) => unproved(event) }),
  rule("NEXT_STEP", { from: ["evaluating"], to: "executing" }),
  planned("ADAPTATION_COMPLETE", "adapting"),
  waiting("INPUT_NEEDED", ["executing", "evaluating"], "waiting_input"),
  waiting("AGENT_NEEDED", ["executing"], "waiting_agent"),
  waiting("APPROVAL_NEEDED", ["executing"], "waiting_approval"),
  back("waiting_input", "INPUT_RECEIVED", "executing"),
  back("waiting_agent", "AGENT_COMPLETE", "executing"),
  back("waiting_approval", "CONTINUE", "executing"),
  back("waiting_approval", "APPROVE", "executing"),
  back("waiting_approval", "DENY", "adapting"),
  back("waiting_approval", "COMPLETE", "succeeded"),
  rule("OBSERVED_DONE", { from: [...WORKING, ...WAITING, "paused", "error"], to: "succeeded" }),
  rule("PAUSE", {
    from: [...WORKING, ...WAITING],
    to: "paused",
    change: (run) => ({ remembered: run.state }),
  }),
  ...toRemembered("paused", "RESUME", [...WORKING, ...WAITING]),
  rule("ERROR", {
    from: WORKING,
    to: "error",
    guard: (_, event) => event.recoverable,
    change: (run, event) => ({ remembered: run.state, ...failed(run, event) }),
  }),
  ...toRemembered("error", "RETRY", WORKING),
  rule("ERROR", {
    from: WORKING,
    to: "failed",
    change: failed,
  }),
  // In waiting_input a person is asked already: a second reason to ask changes nothing.
  fails("STEP_FAILED", [...WORKING, "waiting_agent", "waiting_approval", "error"]),
  fails("TIMEOUT", [...WORKING, ...WAITING, "error"]),
  fails("MAX_ITERATIONS", ["evaluating", "waiting_input", "waiting_agent"]),
  rule("CANCEL", { from: [...WORKING, ...WAITING, "error", "paused"], to: "cancelled" }),
  rule("RESET", {
    from: ["failed"],
    to: "idle",
    change: () => ({ remembered: null, waitingFor: null, bounces: 0, error: null, errorCode: null }),
  }),
];

export const runMachine: Machine<RunState, RunRecord, RunEvent> = {
  name: "run",
  states: RUN_STATES,
  terminal: ["succeeded", "failed", "cancelled"],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The initial values of a record that does not exist yet. */
export const blankRun: RunRecord = {
  id: 0,
  version: 0,
  state: "idle",
  agentId: 0,
  repositoryId: 0,
  issue: 0,
  attempt: 1,
  remembered: null,
  plan: null,
  step: 0,
  iteration: 0,
  bounces: 0,
  confidence: null,
  waitingFor: null,
  error: null,
  errorCode: null,
  createdAt: 0,
};

/** Returns true for a run that has begun and not ended. */
export function isLiveRun(run: Pick<RunRecord, "state">): boolean {
  return run.state !== "idle" && !(runMachine.terminal as readonly string[]).includes(run.state);
}
