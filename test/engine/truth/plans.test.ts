import { describe, expect, it } from "vitest";
import { GOAL_STATES } from "../../../src/domain/planning/goal.ts";
import { SPRINT_STATES } from "../../../src/domain/planning/sprint.ts";
import { GOALS, SPRINTS } from "./of-plans.ts";
import { expectPlanTold } from "./plan-situation.ts";
import { listed } from "./suite.ts";

describe.each([
  ["goal", GOAL_STATES, listed(GOAL_STATES, GOALS)],
  ["sprint", SPRINT_STATES, listed(SPRINT_STATES, SPRINTS)],
] as const)("a %s", (machine, states, all) => {
  it("has a situation for every state", () => {
    expect(new Set(all.map(([state]) => state))).toEqual(new Set(states));
  });

  describe.each(all)("%s: %s", (state, _, situation) => {
    it("is told alike in all places", () =>
      expect(expectPlanTold(machine, state, situation)).resolves.toBeUndefined());
  });
});
