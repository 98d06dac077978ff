import { expect, it } from "vitest";
import { planSteps } from "../../../src/domain/planning/plan-steps.ts";

it.each([
  ["Read the parser, then mend it.", 1],
  ["", 1],
  ["1. Read the parser\n2. Mend it\n   - and its test\n10) Run the tests", 3],
  ["The plan:\n\n- read\n* mend\n+ run\n\n-no item\n1.5 is no item", 3],
])("counts the steps of a plan: %j", (plan, steps) => {
  expect(planSteps(plan)).toBe(steps);
});
