import { describe, expect, it } from "vitest";
import { TASK_STATES } from "../../../src/domain/tasks/task-record.ts";
import { WORK } from "./of-work.ts";
import { listed } from "./suite.ts";
import { expectWorkTold } from "./work-situation.ts";

const ALL = listed(TASK_STATES, WORK);

it("has a situation for every state of work", () => {
  expect(TASK_STATES.filter((state) => Object.keys(WORK[state]).length === 0)).toEqual([]);
});

describe.each(ALL)("work %s: %s", (state, _, situation) => {
  it("is told alike in all places", () => expect(expectWorkTold(state, situation)).resolves.toBeUndefined());
});
