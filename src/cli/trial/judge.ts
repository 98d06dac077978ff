import { overlaid, settingPaths } from "../../domain/trial/overlay.ts";
import type { CaseCheck, Measure, TrialCase, Verdict } from "../../domain/trial/trial-case.ts";
import {
  type Fault,
  faultBetween,
  faultOf,
  flakyBetween,
  measureOf,
  type Side,
  type TestRun,
  verdictOf,
} from "../../domain/trial/verdict.ts";
import { runTests, type TrialBench } from "./trial-bench.ts";

/**
 * Runs the tests of a case twice before the real change and twice with it: it measures something only where they fail before and
 * pass after, in the same way each time. Null where the bench's signal came first.
 */
export async function checkCase(bench: TrialBench, one: TrialCase): Promise<CaseCheck | null> {
  await bench.git.fetchCase(one);
  const commits = { before: await laidOver(bench, one, one.base), after: one.change };
  const ran: Record<Side, TestRun[]> = { before: [], after: [] };
  const leftOut = ({ reason, detail }: Fault): CaseCheck => ({
    kind: "left_out",
    leftOut: { issue: one.issue, reason, detail },
  });
  // Once each first: most issues that measure nothing show it at once.
  for (const side of ["before", "after", "before", "after"] as const) {
    const run = await runTests(bench, commits[side]);
    if (run === null) return null;
    const [[before], [first]] = [ran.before, ran[side]];
    const fault =
      first === undefined
        ? (faultOf(side, run) ?? (before === undefined ? null : faultBetween(before, run)))
        : flakyBetween(side, first, run);
    if (fault !== null) return leftOut(fault);
    ran[side].push(run);
  }
  const [[before], [after]] = [ran.before, ran.after];
  if (before === undefined || after === undefined) throw new Error("a side of the case was not run");
  return { kind: "measures", measure: measureOf(before, after) };
}

/**
 * Lays the real tests over the last commit of an agent's work, and runs them. `directory` = the case's repository, which has that
 * commit. Null where the bench's signal came first.
 */
export async function judge(
  bench: TrialBench,
  {
    case: one,
    measure,
    directory,
    head,
  }: {
    readonly case: TrialCase;
    readonly measure: Measure;
    readonly directory: string;
    readonly head: string;
  },
): Promise<Verdict | null> {
  await bench.git.fetchCase(one);
  await bench.git.takeWork({ directory, head, since: one.base });
  const run = await runTests(bench, await laidOver(bench, one, head));
  return run === null ? null : verdictOf(measure, run);
}

/** Returns a commit with the files of `result` and the real tests. */
async function laidOver({ git }: TrialBench, { base, change }: TrialCase, result: string): Promise<string> {
  const real = await git.difference({ from: base, to: change });
  const own = await git.difference({ from: base, to: result });
  const left = await git.difference({ from: result, to: change });
  const wanted = new Set(settingPaths(left.map(({ path }) => path)));
  const texts = await git.texts(left.filter(({ path }) => wanted.has(path)));
  const paths = overlaid({
    real: real.map(({ path }) => path),
    own: own.map(({ path }) => path),
    before: await git.paths(base),
    settings: new Map([...texts].map(([path, { before, after }]) => [path, { own: before, real: after }])),
  });
  return git.layOver({ onto: result, from: change, paths });
}
