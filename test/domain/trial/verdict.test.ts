import { expect, it } from "vitest";
import {
  faultBetween,
  faultOf,
  flakyBetween,
  measureOf,
  type TestRun,
  verdictOf,
} from "../../../src/domain/trial/verdict.ts";

const run = (
  failed: TestRun["failed"],
  names: { passed?: readonly string[]; failed?: readonly string[] } | null = null,
): TestRun => ({
  failed,
  names: names && { passed: new Set(names.passed), failed: new Set(names.failed) },
  output: "the end",
});
const tests = { kind: "test", command: "npm test", unproved: null } as const;
const setup = { kind: "setup", command: "npm ci", unproved: null } as const;
const slow = { ...tests, unproved: "it was ended at its time limit" } as const;

it.each([
  ["before", null, "never_failed", "The tests of the pull request pass without its change."],
  ["before", setup, "setup_failed", "The setup command `npm ci` fails without the real change."],
  ["after", setup, "setup_failed", "The setup command `npm ci` fails with the real change."],
  ["after", tests, "fails_with_change", "`npm test` fails with the real change, so no solution could pass."],
  [
    "before",
    slow,
    "not_run",
    "`npm test` gave no result without the real change: it was ended at its time limit.",
  ],
] as const)("what runs %s the change with %o is no measure: %s", (side, failed, reason, detail) => {
  expect(faultOf(side, run(failed))).toEqual({ reason, detail });
});

it("demands that tests fail before and pass with the change", () => {
  expect(faultOf("before", run(tests))).toBeNull();
  expect(faultOf("after", run(null))).toBeNull();
});

it("excuses tests that fail with the change where others pass only with it", () => {
  const before = run(tests, { passed: ["kept"], failed: ["offline", "mended"] });
  const after = run(tests, { passed: ["kept", "mended"], failed: ["offline"] });
  expect(faultOf("after", after)).toBeNull();
  expect(faultBetween(before, after)).toBeNull();
  expect(faultBetween(before, run(null, { passed: ["kept"] }))).toBeNull();
  expect(faultBetween(before, run(tests))).toBeNull();
  // What could not be built before is mended as a whole.
  expect(faultBetween(run(tests), after)).toBeNull();
});

it.each([
  [
    "breaks a test",
    { passed: ["mended"], failed: ["kept"] },
    "`kept` passes without the real change, and fails with it.",
  ],
  [
    "mends nothing",
    { passed: ["kept"], failed: ["mended"] },
    "`mended` fails with the real change too, and no test passes only with it.",
  ],
  [
    "fails beside its tests",
    { passed: ["kept"] },
    "`npm test` fails with the real change too, and no test passes only with it.",
  ],
])("has no measure in a change that %s", (_, names, detail) => {
  const before = run(tests, { passed: ["kept"], failed: ["mended"] });
  expect(faultBetween(before, run(tests, names))).toEqual({ reason: "fails_with_change", detail });
});

it("finds tests that end differently on the same files", () => {
  expect(flakyBetween("before", run(tests), run(null))).toEqual({
    reason: "flaky",
    detail:
      "The same files gave another result the second time. The tests of the pull request pass without its change.",
  });
  const [one, other] = [{ failed: ["a"], passed: ["b"] }, { failed: ["a", "b"] }];
  expect(flakyBetween("before", run(tests, one), run(tests, other))?.detail).toBe(
    "`b` ended differently the second time on the same files, without the real change.",
  );
  expect(flakyBetween("after", run(null, { passed: ["a"] }), run(null, { passed: ["a", "c"] }))?.detail).toBe(
    "`c` ended differently the second time on the same files, with the real change.",
  );
});

it("finds nothing where both agree, or one names no test", () => {
  expect(flakyBetween("before", run(tests, { failed: ["a"] }), run(tests, { failed: ["a"] }))).toBeNull();
  expect(flakyBetween("before", run(tests, { failed: ["a"] }), run(tests))).toBeNull();
  expect(flakyBetween("before", run(tests), run(tests, { failed: ["a"] }))).toBeNull();
});

it("measures what the real change mends and keeps", () => {
  const before = run(tests, { passed: ["kept", "broken by it"], failed: ["mended"] });
  const after = run(null, { passed: ["kept", "new", "mended"], failed: [] });
  expect(measureOf(before, after)).toEqual({ mended: ["mended", "new"], kept: ["kept"] });
  expect(measureOf(run(tests), after)).toEqual({ mended: ["kept", "mended", "new"], kept: [] });
  expect(measureOf(before, run(null))).toEqual({ mended: null, kept: null });
});

const measure = { mended: ["mended"], kept: ["one", "two"] };

it.each([
  ["all pass", run(null, { passed: ["mended", "one", "two"] }), true, 0],
  ["a test breaks", run(tests, { passed: ["mended", "one"], failed: ["two"] }), false, 1],
  [
    "a test fails that fails with the real change too",
    run(tests, { passed: ["mended", "one", "two"], failed: ["offline"] }),
    true,
    0,
  ],
  ["setup fails", run(setup, { passed: ["mended", "one", "two"], failed: ["offline"] }), false, 0],
  ["the command fails beside its tests", run(tests, { passed: ["mended", "one", "two"] }), false, 0],
  ["the command fails and names no test", run(tests), false, 2],
  ["nothing is mended", run(tests, { passed: ["one", "two"], failed: ["mended"] }), false, 0],
  ["a command that tests nothing succeeds", run(null), false, 2],
  ["a command succeeds without the tests that matter", run(null, { passed: ["one", "two"] }), false, 0],
])("judges a result where %s", (_, ran, solved, broken) => {
  expect(verdictOf(measure, ran)).toEqual({ solved, broken, output: "the end" });
});

it("judges by the command alone where no test is named", () => {
  const unnamed = { mended: null, kept: null };
  expect(verdictOf(unnamed, run(null))).toEqual({ solved: true, broken: null, output: "the end" });
  expect(verdictOf(unnamed, run(tests))).toEqual({ solved: false, broken: null, output: "the end" });
});
