import { expect, it } from "vitest";
import { deliveryFailure, effectFailure } from "../../../src/domain/kernel/failure-text.ts";

const failed = { kind: "status_comment", state: "failed", error: null, result: null } as const;

it.each([
  [{ result: { code: "forbidden", advice: null } }, "GitHub did not allow it"],
  [{ error: "GitHub answered 403 to POST /x: no" }, "GitHub did not allow it"],
  [{ error: "GitHub answered 503 to POST /x" }, "GitHub did not answer"],
  [{ error: "No answer to POST /x: timeout" }, "GitHub did not answer"],
  [{ kind: "notify", error: "the receiver team answered 410" }, "the receiver refused it"],
  [
    { kind: "notify", error: "the receiver team cannot be reached (ECONNREFUSED)" },
    "the receiver did not answer",
  ],
  [
    { kind: "notify", result: { code: "no_receiver", advice: null } },
    "the configuration no longer names this receiver",
  ],
  [{ result: { code: "foreign_commits", advice: null } }, "somebody else pushed to the branch"],
  [{ result: { code: "time_limit", advice: null } }, "it took too long each time"],
  [{ error: "boom" }, "an unexpected error stopped it"],
  [{ result: { code: "constructor", advice: null } }, "an unexpected error stopped it"],
] as const)("says plainly why an effect failed: %j", (row, why) => {
  expect(effectFailure({ ...failed, ...row })?.why).toBe(why);
});

it("passes on the advice of the error, which knows more than its code", () => {
  const result = { code: "forbidden", advice: 'Grant the App "Issues: Read and write".' };
  expect(effectFailure({ ...failed, result })).toEqual({
    why: "GitHub did not allow it",
    next: 'Grant the App "Issues: Read and write".',
  });
});

it("says nothing of what has not failed", () => {
  expect(effectFailure({ ...failed, state: "pending", error: "GitHub answered 503 to POST /x" })).toBeNull();
  expect(deliveryFailure({ state: "ignored", note: "forbidden: no" })).toBeNull();
});

it.each([
  ["unreadable_row: agent 7 holds no state", "a row of the database cannot be read"],
  ["unavailable: No answer to GET /repos: timeout", "GitHub did not answer"],
  ["the payload names no issue", "an unexpected error stopped it"],
])("says plainly why a webhook could not be handled: %s", (note, why) => {
  expect(deliveryFailure({ state: "dead", note })).toMatchObject({ why });
});
