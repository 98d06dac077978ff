import { describe, expect, it } from "vitest";
import { GOAL_STATES } from "../../../src/domain/planning/goal.ts";
import { SPRINT_STATES } from "../../../src/domain/planning/sprint.ts";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { ESCALATIONS } from "./of-escalating.ts";
import { HOLDS } from "./of-holds.ts";
import { GOALS, SPRINTS } from "./of-plans.ts";
import { SLEEPS } from "./of-sleeping.ts";
import { STATES } from "./of-states.ts";
import { WORK } from "./of-work.ts";
import { expectPlanWays } from "./plan-situation.ts";
import { advises, listed } from "./suite.ts";
import { expectWorkWays } from "./work-situation.ts";

advises("kind of trouble", ESCALATIONS);
advises("hold", HOLDS);
advises("reason of a sleep", SLEEPS);
advises("state of an agent", STATES);

const ALL_WORK = listed(TASK_STATES, WORK);

describe.each(ALL_WORK)("work %s: %s", (state, _, situation) => {
  it("has only ways on that work", () => expect(expectWorkWays(state, situation)).resolves.toBeUndefined());
});

describe.each([
  ["goal", listed(GOAL_STATES, GOALS)],
  ["sprint", listed(SPRINT_STATES, SPRINTS)],
] as const)("a %s", (machine, all) => {
  it.each(all)("%s: %s has only ways on and buttons that work", (state, _, situation) =>
    expect(expectPlanWays(machine, state, situation)).resolves.toBeUndefined(),
  );
});
