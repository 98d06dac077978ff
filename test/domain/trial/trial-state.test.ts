import { expect, test } from "vitest";
import type { TrialLine } from "../../../src/domain/trial/trial-line.ts";
import {
  countedRuns,
  dueRuns,
  otherAims,
  stateOf,
  type TrialState,
} from "../../../src/domain/trial/trial-state.ts";
import { aCase, aims, begun, GOOD, OTHER, wholeRun } from "./made-trial.ts";

function stateFrom(lines: readonly TrialLine[]): TrialState {
  const state = stateOf(lines);
  if (state === null) throw new Error("no state");
  return state;
}

const due = (lines: readonly TrialLine[]) =>
  dueRuns(lines, stateFrom(lines)).map(({ issue, agent, attempt, work }) => [
    issue,
    agent,
    attempt,
    work?.cost ?? null,
  ]);

test("a file without a first line is no trial yet", () => {
  expect(stateOf([])).toBeNull();
  expect(stateOf([{ kind: "chosen", issues: 2 }])).toBeNull();
});

test("the cases, what was left out, and what was spent stand in the lines", () => {
  const leftOut = { issue: 9, reason: "flaky", detail: "It ends differently." } as const;
  const interrupted = { kind: "interrupted", issue: 2, ...GOOD, attempt: 1, cost: 0.25 } as const;
  const state = stateFrom([
    begun(),
    aCase(1),
    { kind: "left_out", leftOut },
    { kind: "chosen", issues: 2 },
    ...wholeRun(1),
    interrupted,
  ]);
  expect(state.cases.map((one) => one.case.issue)).toEqual([1]);
  expect(state).toMatchObject({ leftOut: [leftOut], chosen: 2, spent: 0.75, open: [], unjudged: [] });
  expect(stateFrom([begun()])).toMatchObject({ chosen: 0, spent: 0 });
});

test("runs are due case by case, all arms on each", () => {
  const lines = [begun({ arms: [GOOD, OTHER] }), aCase(1), aCase(2), ...wholeRun(1)];
  expect(due(lines)).toEqual([
    [1, "claude", 1, null],
    [2, "copilot", 1, null],
    [2, "claude", 1, null],
  ]);
});

test("a killed attempt is open until what it cost is counted, and is made again", () => {
  const started = { kind: "started", issue: 1, ...GOOD, attempt: 1 } as const;
  const lines: TrialLine[] = [begun(), aCase(1), started];
  expect(stateFrom(lines).open).toEqual([started]);
  lines.push({ kind: "interrupted", issue: 1, ...GOOD, attempt: 1, cost: 0.1 });
  expect(stateFrom(lines)).toMatchObject({ open: [], spent: 0.1 });
  expect(due(lines)).toEqual([[1, "copilot", 2, null]]);
});

test("work that ended before the kill is paid once, and only judged again", () => {
  const [started, worked, judged] = wholeRun(1);
  if (started === undefined || worked === undefined || judged === undefined) throw new Error("no lines");
  const lines = [begun(), aCase(1), started, worked];
  expect(stateFrom(lines)).toMatchObject({ open: [], spent: 0.5, unjudged: [worked] });
  expect(due(lines)).toEqual([[1, "copilot", 1, 0.5]]);
  expect(due([...lines, judged])).toEqual([]);
});

test("a run that the budget ended does not count, and is made again", () => {
  const lines = [begun(), aCase(1), ...wholeRun(1, { end: "out_of_budget", solved: false })];
  expect(countedRuns(stateFrom(lines))).toEqual([]);
  expect(due(lines)).toEqual([[1, "copilot", 2, null]]);
  const again = [...lines, ...wholeRun(1, { attempt: 2 })];
  expect(countedRuns(stateFrom(again)).map(({ run }) => run.attempt)).toEqual([2]);
  expect(stateFrom(again).spent).toBe(1);
});

test("aims that differ are named", () => {
  expect(otherAims(aims(), aims())).toEqual([]);
  expect(otherAims(aims({ role: "feat-dev", arms: [OTHER] }), aims())).toEqual([
    "--agent and --model",
    "--role",
  ]);
  expect(otherAims(aims({ roleDigest: "d2" }), aims())).toEqual(["the prompt, tools or limits of the role"]);
});
