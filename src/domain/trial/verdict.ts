import { inlineCode } from "../messages/inline-code.ts";
import type { TestNames } from "./test-names.ts";
import type { LeftOutReason, Measure, Verdict } from "./trial-case.ts";

/** What came of running setup and test commands once on one state of the files. */
export interface TestRun {
  /** The command that did not succeed; null where all did. */
  readonly failed: {
    readonly kind: "setup" | "test";
    readonly command: string;
    /** Why it proves nothing about the files: it did not run, or not to its end. Null where it ended by itself. */
    readonly unproved: string | null;
  } | null;
  /** Of all test commands together; null where the output names no test. */
  readonly names: TestNames | null;
  /** The end of the output, without secrets. */
  readonly output: string;
}

/** Why an issue is left out, apart from its number. */
export interface Fault {
  readonly reason: LeftOutReason;
  /** A sentence. */
  readonly detail: string;
}

/** The state of the files: those of before the real change or those with it, each with its tests. */
export type Side = "before" | "after";

/**
 * Returns why a run on one side shows by itself that the issue is no measure. With the real change, single tests may fail, where
 * the output names them: see `faultBetween`.
 */
export function faultOf(side: Side, { failed, names }: TestRun): Fault | null {
  const where = side === "before" ? "without the real change" : "with the real change";
  if (failed === null)
    return side === "after"
      ? null
      : { reason: "never_failed", detail: "The tests of the pull request pass without its change." };
  const command = inlineCode(failed.command);
  if (failed.unproved !== null)
    return { reason: "not_run", detail: `${command} gave no result ${where}: ${failed.unproved}.` };
  if (failed.kind === "setup")
    return { reason: "setup_failed", detail: `The setup command ${command} fails ${where}.` };
  return side === "before" || names !== null
    ? null
    : { reason: "fails_with_change", detail: `${command} fails ${where}, so no solution could pass.` };
}

/**
 * Returns why a run before and one with the real change measure nothing, neither with a fault of its own. Tests that fail on both
 * sides, such as those that need what the sandbox lacks, do no harm where others are mended.
 */
export function faultBetween(before: TestRun, after: TestRun): Fault | null {
  if (after.failed === null || after.names === null) return null;
  const reason = "fails_with_change";
  const [broken] = after.names.failed.intersection(passedIn(before));
  if (broken !== undefined)
    return { reason, detail: `${inlineCode(broken)} passes without the real change, and fails with it.` };
  if (measureOf(before, after).mended?.length !== 0) return null;
  const [name] = after.names.failed;
  const which = name === undefined ? inlineCode(after.failed.command) : inlineCode(name);
  return { reason, detail: `${which} fails with the real change too, and no test passes only with it.` };
}

const passedIn = ({ names }: Pick<TestRun, "names">): ReadonlySet<string> => names?.passed ?? new Set();

/** Returns in what a second run on the same files differs from the first, which has no fault; null where they agree. */
export function flakyBetween(side: Side, first: TestRun, second: TestRun): Fault | null {
  const fault = faultOf(side, second);
  if (fault !== null)
    return { reason: "flaky", detail: `The same files gave another result the second time. ${fault.detail}` };
  if (first.names === null || second.names === null) return null;
  const [name] = [
    ...first.names.failed.symmetricDifference(second.names.failed),
    ...first.names.passed.symmetricDifference(second.names.passed),
  ];
  if (name === undefined) return null;
  const where = side === "before" ? "without" : "with";
  return {
    reason: "flaky",
    detail: `${inlineCode(name)} ended differently the second time on the same files, ${where} the real change.`,
  };
}

/** Returns what a solution must mend and keep. */
export function measureOf(before: Pick<TestRun, "names">, after: Pick<TestRun, "names">): Measure {
  // Where nothing could be built, no test is named before: then each that passes later was mended.
  if (after.names === null) return { mended: null, kept: null };
  const passedBefore = passedIn(before);
  return {
    mended: sorted(after.names.passed.difference(passedBefore)),
    kept: sorted(after.names.passed.intersection(passedBefore)),
  };
}

const sorted = (names: ReadonlySet<string>): readonly string[] => [...names].toSorted();

/** Judges the run on an agent's result, over which the real tests were laid. */
export function verdictOf({ mended, kept }: Measure, run: TestRun): Verdict {
  const { failed, names, output } = run;
  const passed = passedIn(run);
  const broken = kept === null ? null : kept.filter((name) => !passed.has(name)).length;
  // A command that succeeds without having run these tests, such as one that the agent replaced, proves nothing.
  const isMended = mended === null || mended.every((name) => passed.has(name));
  // All tests are the real ones, so those that fail beside these fail with the real change too.
  const isExcused = broken === 0 && failed?.kind === "test" && names !== null && names.failed.size > 0;
  return { solved: isMended && (failed === null || isExcused), broken, output };
}
