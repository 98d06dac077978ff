import { expect, it } from "vitest";
import { refusalOf } from "../../../src/domain/merge-queue/refusal.ts";

const merge = {
  payload: { kind: "merge_pull", task: 1, pull: 4, head: "a", base: "b" },
  state: "done",
  result: { kind: "merged", commit: "c" },
  error: null,
} as const;
const update = { ...merge, payload: { kind: "update_branch", task: 1, head: "a", base: "b" } } as const;
const refused = { kind: "refused", why: "GitHub did not merge #4: No" };
const failed = { ...merge, state: "failed", result: null, error: "a bug" } as const;
const AGAIN = "fix what it names, or merge it by hand; Flotilla tries again automatically";

it("is none where a try succeeded, or found that it is not to be made", () => {
  expect(refusalOf(merge, undefined)).toBe(null);
  expect(refusalOf({ ...merge, result: { kind: "over", now: "wait" } }, undefined)).toBe(null);
  expect(refusalOf({ ...update, result: { kind: "current" } }, undefined)).toBe(null);
});

it("has the words of the refusal", () => {
  const { why } = refused;
  expect(refusalOf({ ...merge, result: refused }, undefined)).toEqual({ step: "merge", why, change: AGAIN });
  expect(refusalOf({ ...update, result: refused }, undefined)).toMatchObject({ step: "update", why });
});

it("has the words of the decision about a try that failed, with its advice where it has one", () => {
  const reason = "merging the pull request failed: forbidden";
  expect(refusalOf(failed, { reason, change: "Grant it." })).toEqual({
    step: "merge",
    why: reason,
    change: "Grant it.",
  });
  expect(refusalOf(failed, { reason, change: null })).toMatchObject({ why: reason, change: AGAIN });
  expect(refusalOf(failed, undefined)).toMatchObject({ why: "a bug", change: AGAIN });
  expect(refusalOf({ ...failed, error: null }, undefined)).toMatchObject({ why: "the last try failed" });
});
