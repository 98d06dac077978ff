import { expect, it } from "vitest";
import { missedMilestone } from "../../../src/domain/backfill/missed-milestone.ts";
import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";
import { anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { aTask } from "../../factories/records.ts";

const FIRST: Milestone = { number: 2, title: "First", dueOn: "2026-05-06T07:00:00Z" };
const sprint = {
  ...blankSprint,
  id: 4,
  version: 7,
  milestone: 2,
  title: "First",
  dueAt: Date.parse("2026-05-07T12:00:00Z"),
};
const task = aTask({ id: 3, version: 5 });
const told = (milestone: Milestone | null, of: typeof sprint | null) =>
  missedMilestone({ ...anIssue({ milestone }), id: 1, isPullRequest: false }, task, of).map(
    ({ action, name }) => `${action} ${name}`,
  );

it("tells a milestone that the task's sprint is not of, and one that was taken off", () => {
  expect(told(FIRST, null)).toEqual(["milestoned milestone-3-v5-0-2"]);
  expect(told({ ...FIRST, number: 9 }, sprint)).toEqual(["milestoned milestone-3-v5-7-9"]);
  expect(told(null, sprint)).toEqual(["demilestoned milestone-3-v5-7-0"]);
});

it("tells a title and a due date that were changed, unless the sprint is over", () => {
  expect(told({ ...FIRST, title: "One" }, sprint)).toHaveLength(1);
  expect(told({ ...FIRST, dueOn: null }, sprint)).toHaveLength(1);
  expect(told({ ...FIRST, title: "One" }, { ...sprint, endedAt: AT })).toEqual([]);
});

it("tells nothing where all is followed, and nothing of an issue without a task", () => {
  expect([told(FIRST, sprint), told(null, null)]).toEqual([[], []]);
  const issue = { ...anIssue({ milestone: FIRST }), id: 1, isPullRequest: false };
  expect(missedMilestone(issue, null, null)).toEqual([]);
});
