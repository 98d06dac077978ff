import { describe, expect, it } from "vitest";
import { GOALS, SPRINTS } from "./of-plans.ts";
import { expectPlanTold } from "./plan-situation.ts";

describe.each([
  ["goal", GOALS],
  ["sprint", SPRINTS],
] as const)("a %s", (machine, table) => {
  const all = Object.entries(table).flatMap(([state, ways]) =>
    Object.entries(ways).map(([how, situation]) => [state, how, situation] as const),
  );

  it("has a situation for every state", () => {
    expect(Object.values(table).filter((ways) => Object.keys(ways).length === 0)).toEqual([]);
  });

  describe.each(all)("%s: %s", (state, _, situation) => {
    it("is told alike in all places", () =>
      expect(expectPlanTold(machine, state, situation)).resolves.toBeUndefined());
  });
});
