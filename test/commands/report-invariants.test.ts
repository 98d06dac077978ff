import { expect, test } from "vitest";
import { invariantChecks, reportInvariants } from "../../src/commands/report-invariants.ts";
import { createFakeClock } from "../fakes/clock.ts";

test("each broken invariant is an error in the log, with its rows", async () => {
  const logged: object[] = [];
  const violation = { rule: "draft_has_no_assignee", table: "task", ids: [4] };
  await reportInvariants({ checkInvariants: async (now) => (now === 7 ? [violation] : []) }, 7, {
    error: (fields) => logged.push(fields),
  });
  expect(logged).toEqual([violation]);
});

test("they are looked at once in each span, the first time at its end", async () => {
  const clock = createFakeClock(0);
  const looked: number[] = [];
  const store = {
    checkInvariants: async (now: number) => {
      looked.push(now);
      return [];
    },
  };
  const check = invariantChecks(store, { everyMs: 100, clock, log: { error: () => {} } });
  for (let ticks = 0; ticks < 5; ticks += 1) {
    await check();
    clock.advance(50);
  }
  expect(looked).toEqual([100, 200]);
});
