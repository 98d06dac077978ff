import { describe, expect, it } from "vitest";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { ESCALATIONS } from "./of-escalating.ts";
import { HOLDS } from "./of-holds.ts";
import { GOALS, SPRINTS } from "./of-plans.ts";
import { SLEEPS } from "./of-sleeping.ts";
import { STATES } from "./of-states.ts";
import { WORK } from "./of-work.ts";
import { expectPlanWays } from "./plan-situation.ts";
import { advises } from "./suite.ts";
import { expectWorkWays } from "./work-situation.ts";

advises("kind of trouble", ESCALATIONS);
advises("hold", HOLDS);
advises("reason of a sleep", SLEEPS);
advises("state of an agent", STATES);

const ALL_WORK = TASK_STATES.flatMap((state) =>
  Object.entries(WORK[state]).map(([how, situation]) => [state, how, situation] as const),
);

describe.each(ALL_WORK)("work %s: %s", (state, _, situation) => {
  it("has only ways on that work", () => expect(expectWorkWays(state, situation)).resolves.toBeUndefined());
});

describe.each([
  ["goal", GOALS],
  ["sprint", SPRINTS],
] as const)("a %s", (machine, table) => {
  const all = Object.entries(table).flatMap(([state, ways]) =>
    Object.entries(ways).map(([how, situation]) => [state, how, situation] as const),
  );
  it.each(all)("%s: %s has only ways on and buttons that work", (state, _, situation) =>
    expect(expectPlanWays(machine, state, situation)).resolves.toBeUndefined(),
  );
});
