import { expect, test } from "vitest";
import { againstOlder, armsCompared, resultsOf } from "../../../src/domain/trial/results.ts";
import type { TrialLine } from "../../../src/domain/trial/trial-line.ts";
import { stateOf, type TrialState } from "../../../src/domain/trial/trial-state.ts";
import { aCase, begun, commitOf, GOOD, OTHER, wholeRun } from "./made-trial.ts";

function stateFrom(...lines: readonly TrialLine[]): TrialState {
  const state = stateOf(lines);
  if (state === null) throw new Error("no state");
  return state;
}

const UNSOLVED = { solved: false, broken: null, end: "escalated" } as const;

test("each arm has its shares, quartiles and what a solved case costs", () => {
  const [result, other] = resultsOf(
    stateFrom(
      begun({ arms: [GOOD, OTHER] }),
      aCase(1),
      aCase(2),
      aCase(3),
      ...wholeRun(1, { cost: 1, turns: 4, broken: 2 }),
      ...wholeRun(2, { ...UNSOLVED, cost: 2, turns: 8 }),
      ...wholeRun(3, { end: "out_of_budget", solved: false, cost: 50 }),
    ),
  );
  expect(result).toMatchObject({
    arm: GOOD,
    solved: { count: 1, of: 2, share: 0.5 },
    breaking: { count: 1, of: 1 },
    ends: { completed: 1, escalated: 1, failed: 0, out_of_budget: 0 },
    of: {
      cost: { low: 1.25, median: 1.5, high: 1.75 },
      tokens: { median: 1000 },
      turns: { median: 6 },
      seconds: { median: 60 },
    },
    cost: 3,
    costPerSolved: 3,
  });
  expect(other).toMatchObject({ arm: OTHER, solved: { of: 0 }, of: { cost: null }, costPerSolved: null });
});

test("two arms are compared on the cases that both were tried on", () => {
  const [comparison, ...others] = armsCompared(
    stateFrom(
      begun({ arms: [GOOD, OTHER] }),
      ...[1, 2, 3, 4, 5].map(aCase),
      ...[1, 2].flatMap((issue) => wholeRun(issue, { cost: 1 })),
      ...wholeRun(3, UNSOLVED),
      ...wholeRun(4, UNSOLVED),
      ...wholeRun(5),
      ...wholeRun(1, { ...OTHER, cost: 3 }),
      ...wholeRun(2, { ...OTHER, ...UNSOLVED, cost: 4 }),
      ...wholeRun(3, { ...OTHER }),
      ...wholeRun(4, { ...OTHER, ...UNSOLVED }),
    ),
  );
  expect(others).toEqual([]);
  expect(comparison).toMatchObject({
    before: GOOD,
    after: OTHER,
    pairs: { both: 1, onlyBefore: 1, onlyAfter: 1, neither: 1 },
    solved: { change: 0, chance: 1 },
    more: { cost: { median: 1 }, turns: { median: 0 } },
    flips: [
      { issue: 2, title: "Issue 2", to: "unsolved" },
      { issue: 3, title: "Issue 3", to: "solved" },
    ],
  });
});

test("a trial is compared with an older one, arm by arm, on cases with the same commits", () => {
  const { case: of, ...more } = aCase(2);
  const moved = { ...more, case: { ...of, base: commitOf(99) } };
  const older = stateFrom(
    begun({ arms: [OTHER, GOOD] }),
    aCase(1),
    aCase(2),
    ...wholeRun(1, UNSOLVED),
    ...wholeRun(2),
  );
  const state = stateFrom(begun({ roleDigest: "d2" }), aCase(1), moved, ...wholeRun(1), ...wholeRun(2));
  expect(againstOlder(older, state)).toMatchObject([
    { before: GOOD, after: GOOD, pairs: { both: 0, onlyBefore: 0, onlyAfter: 1, neither: 0 } },
  ]);
});

test("trials of one arm each are compared whatever the arms are; others have to share an arm", () => {
  const older = stateFrom(begun({ arms: [OTHER] }), aCase(1), ...wholeRun(1, OTHER));
  const state = stateFrom(begun(), aCase(1), ...wholeRun(1));
  expect(againstOlder(older, state)).toMatchObject([{ before: OTHER, after: GOOD, pairs: { both: 1 } }]);
  const third = { agent: "qwen", model: "qwen" };
  expect(againstOlder(stateFrom(begun({ arms: [OTHER, third] })), state)).toEqual([]);
});
