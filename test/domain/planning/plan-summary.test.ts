import { expect, it } from "vitest";
import { blankGoal } from "../../../src/domain/planning/goal.ts";
import { planLine, planSummary } from "../../../src/domain/planning/plan-summary.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";

const goal = { ...blankGoal, issue: 9, title: "Nights" };
const sprint = { ...blankSprint, title: "Light" };
const still = { ...sprint, state: "CHECKPOINT" } as const;
const tasks = [{ issue: 4, state: "CLAIMED" }] as const;

it("names what a goal or a sprint takes, and the issue to say it on", () => {
  expect(planSummary({ goal, sprints: [sprint], tasks })).toEqual({
    state: "IN_PROGRESS",
    reason: null,
    next: "nothing: it is complete when all sub-issues are closed and all tasks have ended; `/flotilla checkpoint` on #9 stops it, `/flotilla abort` on #9 ends it and cancels its agents",
  });
  expect(planSummary({ goal: null, sprints: [sprint], tasks }).next).toContain(
    "when all its tasks have ended; `/flotilla checkpoint` on #4 stops it",
  );
  expect(planSummary({ goal: null, sprints: [sprint], tasks: [] }).next).toContain(
    "; `/flotilla checkpoint` stops it",
  );
  expect(planSummary({ goal, sprints: [], tasks }).next).toMatch(/ended; `\/flotilla abort` on #9 ends it$/);
});

it("says why it stands still or how it ended, and offers nothing once it is over", () => {
  expect(
    planSummary({
      goal,
      sprints: [
        { ...still, reason: "late" },
        { ...still, title: "Dark" },
      ],
      tasks,
    }),
  ).toMatchObject({ state: "CHECKPOINT", reason: 'sprint "Light": late; sprint "Dark": it stands still' });
  const aborted = { ...goal, state: "ABORTED", reason: "no budget" } as const;
  expect(planSummary({ goal: aborted, sprints: [], tasks })).toMatchObject({
    reason: "no budget",
    next: expect.stringMatching(/^nothing: it has ended; .*`\/flotilla start` there$/),
  });
  const done = { ...sprint, state: "COMPLETED" } as const;
  expect(planSummary({ goal: null, sprints: [done], tasks })).toEqual({
    state: "COMPLETED",
    reason: null,
    next: "nothing: it is done",
  });
  expect(planSummary({ goal: null, sprints: [], tasks }).reason).toBeNull();
});

it("is told on one line", () => {
  const late = [{ ...still, reason: "too\nlate" }];
  expect(planLine({ goal, sprints: late, tasks })).toBe(
    'the goal "Nights" of #9 is CHECKPOINT: sprint "Light": too late → `/flotilla continue` on #9 lets it continue, `/flotilla abort` on #9 ends it and cancels its agents',
  );
  expect(planLine({ goal: null, sprints: [{ ...sprint, state: "COMPLETED" }], tasks })).toBe(
    'the sprint "Light" is COMPLETED → nothing: it is done',
  );
});
