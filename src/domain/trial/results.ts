import {
  type Pairs,
  pairedChange,
  type Quartiles,
  quartiles,
  type Share,
  type ShareChange,
  wilson,
} from "./statistics.ts";
import type { TrialCase, TrialEnd, TrialRun } from "./trial-case.ts";
import type { TrialArm } from "./trial-line.ts";
import { armKey, countedRuns, type TrialState } from "./trial-state.ts";

/** What is measured of each run beside whether it solved its case. `tokens`: in and out; `cost`: US dollars. */
export type MeasureName = "cost" | "tokens" | "turns" | "seconds";

const measured: Readonly<Record<MeasureName, (run: TrialRun) => number>> = {
  cost: ({ cost }) => cost,
  tokens: ({ tokensIn, tokensOut }) => tokensIn + tokensOut,
  turns: ({ turns }) => turns,
  seconds: ({ seconds }) => seconds,
};

/** What an agent with a model did on all cases that it was tried on. */
export interface ArmResult {
  readonly arm: TrialArm;
  readonly solved: Share;
  /** Runs after which tests fail that passed before, among those of which that is known. */
  readonly breaking: Share;
  readonly ends: Readonly<Record<TrialEnd, number>>;
  readonly of: Readonly<Record<MeasureName, Quartiles | null>>;
  /** US dollars of all its runs. */
  readonly cost: number;
  /** US dollars for each solved case; null where it solved none. */
  readonly costPerSolved: number | null;
}

/** Returns the result of each arm, in the order in which the arms were asked for. */
export function resultsOf(state: TrialState): readonly ArmResult[] {
  const runs = countedRuns(state).map(({ run }) => run);
  return state.aims.arms.map((arm) =>
    resultOf(
      arm,
      runs.filter((run) => armKey(run) === armKey(arm)),
    ),
  );
}

function resultOf(arm: TrialArm, runs: readonly TrialRun[]): ArmResult {
  const solved = runs.filter((run) => run.solved).length;
  const known = runs.flatMap(({ broken }) => broken ?? []);
  const cost = runs.reduce((sum, run) => sum + run.cost, 0);
  const ended = (end: TrialEnd) => runs.filter((run) => run.end === end).length;
  return {
    arm,
    solved: wilson(solved, runs.length),
    breaking: wilson(known.filter((broken) => broken > 0).length, known.length),
    ends: {
      completed: ended("completed"),
      escalated: ended("escalated"),
      failed: ended("failed"),
      out_of_budget: ended("out_of_budget"),
    },
    of: everyMeasure((name) => quartiles(runs.map(measured[name]))),
    cost,
    costPerSolved: solved === 0 ? null : cost / solved,
  };
}

function everyMeasure<T>(of: (name: MeasureName) => T): Readonly<Record<MeasureName, T>> {
  return { cost: of("cost"), tokens: of("tokens"), turns: of("turns"), seconds: of("seconds") };
}

/** A case that one of two trials solved, and the other did not. */
export interface Flip {
  readonly issue: number;
  readonly title: string;
  readonly to: "solved" | "unsolved";
}

/** Two sides that were tried on the same cases, case by case. */
export interface Comparison {
  readonly before: TrialArm;
  readonly after: TrialArm;
  readonly pairs: Pairs;
  readonly solved: ShareChange;
  /** How much more each case took after than before. */
  readonly more: Readonly<Record<MeasureName, Quartiles | null>>;
  readonly flips: readonly Flip[];
}

interface Side {
  readonly arm: TrialArm;
  readonly state: TrialState;
}

/** Compares two sides on the cases that both were tried on: the same issue, from the same commit to the same commit. */
function compared(before: Side, after: Side): Comparison {
  const then = runsOf(before);
  const both = [...runsOf(after)].flatMap(([key, { of, run }]) => {
    const earlier = then.get(key);
    return earlier === undefined ? [] : [{ of, run, earlier: earlier.run }];
  });
  const count = (was: boolean, is: boolean) =>
    both.filter(({ run, earlier }) => earlier.solved === was && run.solved === is).length;
  const pairs = {
    both: count(true, true),
    onlyBefore: count(true, false),
    onlyAfter: count(false, true),
    neither: count(false, false),
  };
  return {
    before: before.arm,
    after: after.arm,
    pairs,
    solved: pairedChange(pairs),
    more: everyMeasure((name) =>
      quartiles(both.map(({ run, earlier }) => measured[name](run) - measured[name](earlier))),
    ),
    flips: both.flatMap(({ of: { issue, title }, run, earlier }) =>
      run.solved === earlier.solved ? [] : [{ issue, title, to: run.solved ? "solved" : "unsolved" }],
    ),
  };
}

function runsOf({
  arm,
  state,
}: Side): ReadonlyMap<string, { readonly of: TrialCase; readonly run: TrialRun }> {
  const cases = new Map(state.cases.map(({ case: of }) => [of.issue, of]));
  return new Map(
    countedRuns(state).flatMap(({ run }) => {
      const of = cases.get(run.issue);
      return of === undefined || armKey(run) !== armKey(arm)
        ? []
        : [[`${of.issue} ${of.base} ${of.change}`, { of, run }]];
    }),
  );
}

/** Compares each two arms of a trial: the later one of each pair against the earlier one. */
export function armsCompared(state: TrialState): readonly Comparison[] {
  const { arms } = state.aims;
  return arms.flatMap((before, index) =>
    arms.slice(index + 1).map((after) => compared({ arm: before, state }, { arm: after, state })),
  );
}

/**
 * Compares a trial with an older one: each arm that both have, or the one arm of each, as when another model is tried on the
 * cases of an older trial.
 */
export function againstOlder(older: TrialState, state: TrialState): readonly Comparison[] {
  const [then, ...others] = older.aims.arms;
  const [now, ...more] = state.aims.arms;
  if (then !== undefined && now !== undefined && others.length + more.length === 0)
    return [compared({ arm: then, state: older }, { arm: now, state })];
  const known = new Set(older.aims.arms.map(armKey));
  return state.aims.arms
    .filter((arm) => known.has(armKey(arm)))
    .map((arm) => compared({ arm, state: older }, { arm, state }));
}
