import { expect, it } from "vitest";
import { blankGoal } from "../../../src/domain/planning/goal.ts";
import { progressOf, stateOfPlan, steeredAt, takenBy } from "../../../src/domain/planning/planned-work.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";

const goal = { ...blankGoal, issue: 9 };
const working = blankSprint;
const stopped = { ...blankSprint, state: "CHECKPOINT" } as const;
const ended = { ...blankSprint, state: "COMPLETED" } as const;

it.each([
  ["a goal without sprints", goal, [], "IN_PROGRESS", ["abort"]],
  ["a goal whose sprint continues", goal, [ended, working], "IN_PROGRESS", ["checkpoint", "abort"]],
  ["a goal with a sprint at CHECKPOINT", goal, [stopped], "CHECKPOINT", ["continue", "abort"]],
  ["one of two at CHECKPOINT", goal, [working, stopped], "CHECKPOINT", ["checkpoint", "continue", "abort"]],
  ["a goal that was aborted", { ...goal, state: "ABORTED" }, [stopped], "ABORTED", []],
  ["a sprint without a goal", null, [working], "IN_PROGRESS", ["checkpoint", "abort"]],
  ["a sprint without a goal that is over", null, [ended], "COMPLETED", []],
  ["nothing", null, [], "IN_PROGRESS", ["abort"]],
] as const)("%s is shown with what it takes", (_, of, sprints, state, verbs) => {
  expect(stateOfPlan({ goal: of, sprints })).toBe(state);
  expect(takenBy({ goal: of, sprints })).toEqual(verbs);
});

it("counts the issues that are done, and one on which nothing has begun as open", () => {
  const tasks = [
    { issue: 1, state: "MERGED" },
    { issue: 2, state: "CLAIMED" },
    { issue: 3, state: null },
  ] as const;
  expect(progressOf({ tasks })).toEqual({ done: 1, open: 2 });
});

it("is steered on the tracking issue, without a goal on the oldest issue that is open, else on the last", () => {
  const done = { issue: 1, state: "MERGED" } as const;
  const open = { issue: 2, state: "CLAIMED" } as const;
  expect(steeredAt({ goal, tasks: [done] })).toBe(9);
  expect(steeredAt({ goal: null, tasks: [done, open] })).toBe(2);
  expect(steeredAt({ goal: null, tasks: [{ ...done, issue: 0 }, done] })).toBe(1);
  expect(steeredAt({ goal: null, tasks: [] })).toBeNull();
});
