import { expect, it } from "vitest";
import { nextAttempt } from "../../../src/domain/checks/attempts.ts";

const tried = (commit: string, fingerprint: string | null = "f1", check = "build") => ({
  commit,
  check,
  fingerprint,
});
const next = (attempts: readonly ReturnType<typeof tried>[], failures = [tried("x")], maxIterations = 5) =>
  nextAttempt(attempts, { commit: "x", failures, maxIterations });

it("is the first where nothing was tried, and counts what was tried for the same failure on other commits", () => {
  expect(next([])).toEqual({ kind: "attempt", nth: 1 });
  expect(next([tried("a"), tried("b")])).toEqual({ kind: "attempt", nth: 3 });
  expect(next([tried("a", "f2"), tried("b", "f1", "lint")])).toEqual({ kind: "attempt", nth: 1 });
  expect(next([tried("a"), tried("b")], [tried("x", "f9"), tried("x")])).toEqual({ kind: "attempt", nth: 3 });
});

it("is spent for a commit that had one", () => {
  expect(next([tried("x", "another")])).toEqual({ kind: "spent" });
});

it("is given up after three at the same failure, by the check's name", () => {
  expect(next([tried("a"), tried("b"), tried("c")])).toEqual({
    kind: "give_up",
    why: "the check build fails in the same way after 3 attempts to fix it",
  });
});

it("is given up after as many commits as the role has wakes, whatever failed", () => {
  const each = ["a", "b", "c", "d", "e"].map((commit) => tried(commit, commit));
  expect(next(each)).toMatchObject({ kind: "give_up", why: expect.stringContaining("5 commits in a row") });
  expect(next(each, undefined, 6)).toEqual({ kind: "attempt", nth: 1 });
});
