import { expect, test } from "vitest";
import { reportInvariants } from "../../src/commands/report-invariants.ts";

test("each broken invariant is an error in the log, with its rows", async () => {
  const logged: object[] = [];
  const violation = { rule: "draft_has_no_assignee", table: "task", ids: [4] };
  await reportInvariants({ checkInvariants: async (now) => (now === 7 ? [violation] : []) }, 7, {
    error: (fields) => logged.push(fields),
  });
  expect(logged).toEqual([violation]);
});
