import { expect, it } from "vitest";
import { runEvent } from "../../../src/domain/kernel/run-event.ts";
import {
  eventsOfMove,
  type TakenMove,
  turnsUsed,
} from "../../../src/domain/kernel/run-events-of-transition.ts";

const turns = { current_turn: 4, max_turns: 50, progress: 0.08 };
const NO_TURNS = { current_turn: null, max_turns: null, progress: null };
const move = (fields: Partial<TakenMove>): TakenMove => ({
  machine: "agent",
  event: "WAKE",
  actor: "flotilla",
  from: "SLEEPING",
  to: "ACTIVE",
  reason: "answer",
  agent: { session: "flotilla-1", turns },
  run: null,
  ...fields,
});
const typesOf = (fields: Partial<TakenMove>) => eventsOfMove(move(fields)).map(({ type }) => type);
const last = (fields: Partial<TakenMove>) => eventsOfMove(move(fields)).at(-1);

it.each([
  ["agent", "START", "CREATED", "ACTIVE", "agent:starting"],
  ["agent", "WAIT", "ACTIVE", "SLEEPING", "agent:paused"],
  ["agent", "ESCALATE", "ACTIVE", "ESCALATED", "agent:paused"],
  ["agent", "COMPLETE", "ACTIVE", "COMPLETED", "agent:completed"],
  ["run", "ERROR", "executing", "error", "agent:error"],
  ["run", "TIMEOUT", "waiting_agent", "failed", "agent:error"],
  ["run", "STEP", "executing", "waiting_approval", "approval:requested"],
  ["session", "STOPPED", "stopping", "stopped", "agent:cleanup"],
] as const)("%s %s from %s to %s tells the state and %s", (machine, event, from, to, type) => {
  expect(typesOf({ machine, event, from, to })).toEqual(["state:update", type]);
});

it.each([
  ["agent", "PAUSE", "SLEEPING", "SLEEPING"],
  ["agent", "HANDOFF", "ACTIVE", "ACTIVE"],
  ["agent", "CREATE", "(new)", "CREATED"],
  ["agent", "FAIL", "ACTIVE", "FAILED"],
  ["agent", "CANCEL", "ACTIVE", "CANCELLED"],
  ["run", "PLAN_COMPLETE", "planning", "executing"],
  ["session", "STOPPED", "stopped", "stopped"],
  ["task", "CLAIM", "UNCLAIMED", "CLAIMED"],
] as const)("%s %s from %s to %s tells the state only", (machine, event, from, to) => {
  expect(typesOf({ machine, event, from, to })).toEqual(["state:update"]);
});

it("tells a counted turn as a step and as no change of state", () => {
  const step = { machine: "run", event: "STEP", from: "planning", to: "planning" } as const;
  const run = { step: 4, errorCode: null };
  expect(eventsOfMove(move({ ...step, run }))).toEqual([{ type: "agent:step", data: { step: 4, ...turns } }]);
  expect(eventsOfMove(move({ ...step, agent: null }))).toEqual([
    { type: "agent:step", data: { step: 0, current_turn: 0, max_turns: 0, progress: 0 } },
  ]);
});

it("tells conversation and turns with each move of an agent, and of nobody else", () => {
  expect(last({ machine: "task", event: "CLAIM" })).toMatchObject({
    data: { session: "flotilla-1", ...turns },
  });
  expect(last({ machine: "task", event: "CLAIM", agent: null })).toMatchObject({
    data: { session: null, ...NO_TURNS },
  });
  expect(last({})).toEqual({
    type: "agent:starting",
    data: { cause: "WAKE", reason: "answer", session: "flotilla-1" },
  });
});

it("names turn and limit with the three choices when no turn is left", () => {
  const at = { session: "flotilla-1", turns: turnsUsed(50, 50) };
  expect(
    last({ machine: "run", event: "STEP", from: "executing", to: "waiting_approval", agent: at }),
  ).toEqual({
    type: "approval:requested",
    data: {
      kind: "turn_limit",
      subject: "max_turns",
      choices: ["continue", "complete", "cancel"],
      current_turn: 50,
      max_turns: 50,
      progress: 1,
    },
  });
});

it("says which errors pass, what they are and where they were met", () => {
  const error = { machine: "run", event: "ERROR", from: "executing" } as const;
  const run = { step: 4, errorCode: "model_unavailable" } as const;
  const details = { move: "ERROR", phase: "executing" };
  expect(last({ ...error, to: "error", reason: "the model is away", run })).toEqual({
    type: "agent:error",
    data: { code: "model_unavailable", status: 503, error: "the model is away", recoverable: true, details },
  });
  expect(last({ ...error, to: "failed", reason: null })).toEqual({
    type: "agent:error",
    data: { code: "internal_error", status: 500, error: "internal_error", recoverable: false, details },
  });
});

it("gives the result of what is completed, empty where none was given", () => {
  const done = { event: "COMPLETE", from: "ACTIVE", to: "COMPLETED" };
  expect(last({ ...done, reason: "Built." })).toMatchObject({ data: { result: "Built." } });
  expect(last({ ...done, reason: null })).toMatchObject({ data: { result: "" } });
});

it.each([
  [0, 50, 0],
  [1, 3, 0.333],
  [50, 50, 1],
  [51, 50, 1],
  [-1, 50, 0],
  [0, 0, 1],
])("%i of %i turns is a progress of %f", (used, allowed, progress) => {
  expect(turnsUsed(used, allowed)).toEqual({ current_turn: used, max_turns: allowed, progress });
});

it("makes only events of the shape that is stored", () => {
  for (const machine of ["agent", "run", "session", "task"] as const)
    for (const to of ["ACTIVE", "SLEEPING", "COMPLETED", "error", "failed", "stopped"])
      for (const event of eventsOfMove(move({ machine, to, event: "STOPPED" })))
        expect(runEvent.safeParse(event).success).toBe(true);
});
