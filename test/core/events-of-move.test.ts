import { expect, it } from "vitest";
import { eventsOfMove, type TakenMove } from "../../src/core/events-of-move.ts";
import { runEvent } from "../../src/core/run-event.ts";

const move = (fields: Partial<TakenMove>): TakenMove => ({
  machine: "agent",
  event: "WAKE",
  actor: "flotilla",
  from: "SLEEPING",
  to: "ACTIVE",
  reason: "answer",
  step: null,
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
  expect(eventsOfMove(move({ ...step, step: 4 }))).toEqual([{ type: "agent:step", data: { step: 4 } }]);
  expect(eventsOfMove(move(step))).toEqual([{ type: "agent:step", data: { step: 0 } }]);
});

it("says which errors pass", () => {
  const error = { machine: "run", event: "ERROR", from: "executing" } as const;
  expect(last({ ...error, to: "error", reason: "the model is away" })).toEqual({
    type: "agent:error",
    data: { code: "ERROR", error: "the model is away", recoverable: true },
  });
  expect(last({ ...error, to: "failed", reason: null })).toEqual({
    type: "agent:error",
    data: { code: "ERROR", error: "ERROR", recoverable: false },
  });
});

it("gives the result of what is completed, empty where none was given", () => {
  const done = { event: "COMPLETE", from: "ACTIVE", to: "COMPLETED" };
  expect(last({ ...done, reason: "Built." })).toMatchObject({ data: { result: "Built." } });
  expect(last({ ...done, reason: null })).toMatchObject({ data: { result: "" } });
});

it("makes only events of the shape that is stored", () => {
  for (const machine of ["agent", "run", "session", "task"] as const)
    for (const to of ["ACTIVE", "SLEEPING", "COMPLETED", "error", "failed", "stopped"])
      for (const event of eventsOfMove(move({ machine, to, event: "STOPPED" })))
        expect(runEvent.safeParse(event).success).toBe(true);
});
