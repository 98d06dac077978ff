import { expect, it } from "vitest";
import { dueAtOf, rawMilestone } from "../../../src/domain/planning/milestone.ts";

it.each([
  ["the beginning of the day on America's west coast", "2026-05-06T07:00:00Z"],
  ["the beginning of the day in UTC", "2026-05-06T00:00:00Z"],
  ["any moment of the day", "2026-05-06T23:39:01Z"],
])("a due date given as %s has passed when that day is over everywhere", (_, dueOn) => {
  expect(dueAtOf({ dueOn })).toBe(Date.parse("2026-05-07T12:00:00Z"));
});

it("no date, and one that cannot be read, is no due date", () => {
  expect([dueAtOf({ dueOn: null }), dueAtOf({ dueOn: "soon" })]).toEqual([null, null]);
});

it("a milestone is told again as webhooks show it, and so is none", () => {
  const milestone = { number: 2, title: "One", dueOn: "2026-05-06T07:00:00Z" };
  expect(rawMilestone(milestone)).toEqual({ number: 2, title: "One", due_on: "2026-05-06T07:00:00Z" });
  expect(rawMilestone(null)).toBeNull();
});
