import { expect, test } from "vitest";
import { asOperator, serve } from "./served.ts";

test.each([
  ["agents", "ESCALATED", "Active"],
  ["tasks", "BLOCKED", "Blocked"],
  ["deliveries", "dead", "lost"],
  ["effects", "failed", ""],
])("%s: a state that does not exist is refused with the states that do", async (list, right, wrong) => {
  const served = await serve();
  expect((await served.get(`/api/${list}?state=${right}`, asOperator)).status).toBe(200);
  const { status, body } = await served.get(`/api/${list}?state=${wrong}`, asOperator);
  expect([status, body]).toEqual([
    400,
    { error: "invalid_argument", hint: expect.stringMatching(`^\\?state= takes one of .*${right}`) },
  ]);
});
