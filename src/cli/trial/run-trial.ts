import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import type { Candidate, TrialRun } from "../../domain/trial/trial-case.ts";
import type { TrialLineOf, Work } from "../../domain/trial/trial-line.ts";
import {
  type Attempt,
  armKey,
  type DueRun,
  dueRuns,
  stateOf,
  type TrialState,
} from "../../domain/trial/trial-state.ts";
import { Purse } from "./purse.ts";
import type { TrialFile } from "./trial-file.ts";
import type { TrialGround, TrialWorker } from "./trial-ground.ts";

export interface Trial {
  /** Has its first line. */
  readonly file: TrialFile;
  readonly ground: TrialGround;
  readonly worker: TrialWorker;
  /** How many cases are wanted. */
  readonly issues: number;
  /** How many runs, or checks of cases, at the same time. */
  readonly slots: number;
  /** US dollars of the whole trial, with what earlier processes spent; undefined for no limit. */
  readonly budget: number | undefined;
  /** Where runs have their directories. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called with each line that is news, with what is done of how much. */
  readonly tell: (news: TrialNews) => void;
}

export type TrialNews =
  | {
      readonly kind: "case" | "left_out";
      readonly candidate: Candidate;
      readonly done: number;
      readonly of: number;
    }
  | {
      readonly kind: "run";
      readonly run: TrialRun;
      readonly reason: string;
      readonly done: number;
      readonly of: number;
    };

/** Why a trial has ended. */
export type TrialHalt = "done" | "interrupted" | "budget";

/**
 * Makes what the file says is still to be made, writing each finished step as a line. Rejects where a step could not be made;
 * what was finished stays, and the next call goes on from there.
 */
export async function runTrial(trial: Trial): Promise<TrialHalt> {
  await settleKilled(trial);
  await choose(trial);
  if (trial.signal.aborted) return "interrupted";
  return makeRuns(trial);
}

function stateNow({ file }: Trial): TrialState {
  const state = stateOf(file.lines);
  if (state === null) throw new Error("the file of the trial has no first line");
  return state;
}

/** Counts what attempts cost whose process was killed, and removes what they left. */
async function settleKilled(trial: Trial): Promise<void> {
  for (const { kind: _, ...attempt } of stateNow(trial).open) {
    const directory = directoryOf(trial, attempt);
    await trial.file.add({ kind: "interrupted", ...attempt, cost: await trial.worker.costOf(directory) });
    await removeTree(directory);
  }
}

/** Looks for cases until there are as many as were asked for. */
async function choose(trial: Trial): Promise<void> {
  const { file, ground, issues: wanted, slots, signal, tell } = trial;
  const begun = stateNow(trial);
  if (begun.chosen >= wanted) return;
  const known = [...begun.cases.map((one) => one.case.issue), ...begun.leftOut.map(({ issue }) => issue)];
  let found = begun.cases.length;
  const keep = async (candidate: Candidate, checked: Checked): Promise<void> => {
    await file.add(checked);
    if (checked.kind === "case") found += 1;
    tell({
      kind: checked.kind,
      candidate: checked.kind === "case" ? candidate : { kind: "left_out", leftOut: checked.leftOut },
      done: found,
      of: wanted,
    });
  };
  const candidates = ground.candidates(new Set(known))[Symbol.asyncIterator]();
  for (;;) {
    const batch = await nextOf(candidates, Math.min(slots, wanted - found));
    if (batch.length === 0 || signal.aborted) break;
    const checked = await Promise.all(batch.map(async (one) => checkedCandidate(ground, one)));
    // In the order in which they came, whichever was checked first.
    for (const [index, candidate] of batch.entries()) {
      const one = checked[index] ?? null;
      if (one !== null && !signal.aborted) await keep(candidate, one);
    }
  }
  await candidates.return?.();
  if (!signal.aborted) await file.add({ kind: "chosen", issues: wanted });
}

/** Returns as many as there are, at most `most`. */
async function nextOf<T>(all: AsyncIterator<T>, most: number): Promise<readonly T[]> {
  const some: T[] = [];
  while (some.length < most) {
    const next = await all.next();
    if (next.done === true) break;
    some.push(next.value);
  }
  return some;
}

type Checked = TrialLineOf<"case"> | TrialLineOf<"left_out">;

async function checkedCandidate(ground: TrialGround, candidate: Candidate): Promise<Checked | null> {
  if (candidate.kind === "left_out") return candidate;
  const check = await ground.check(candidate.case);
  if (check?.kind !== "measures") return check;
  return { ...candidate, measure: check.measure, diff: await ground.diff(candidate.case, null) };
}

async function makeRuns(trial: Trial): Promise<TrialHalt> {
  const { file, slots, budget, signal, worker } = trial;
  const state = stateNow(trial);
  const due = [...dueRuns(file.lines, state)];
  const of = state.cases.length * state.aims.arms.length;
  let left = due.length;
  const purse = new Purse({ budget, spent: state.spent, slots, most: worker.maxCostUsd });
  const failures: unknown[] = [];
  const slot = async (): Promise<void> => {
    while (!signal.aborted && failures.length === 0) {
      const share =
        due[0]?.work === null ? purse.take() : { maxCostUsd: undefined, giveBack: () => undefined };
      const next = share === null ? undefined : due.shift();
      if (share === null || next === undefined) return;
      let cost = 0;
      try {
        const line = await madeRun(trial, next, share.maxCostUsd);
        if (line === null) return;
        cost = line.run.cost;
        left -= 1;
        trial.tell({ kind: "run", run: line.run, reason: line.reason, done: of - left, of });
      } catch (error) {
        failures.push(error);
      } finally {
        share.giveBack(cost);
      }
    }
  };
  await Promise.all(Array.from({ length: slots }, slot));
  if (failures.length > 0) throw failures[0];
  if (signal.aborted) return "interrupted";
  return dueRuns(file.lines, stateNow(trial)).length > 0 ? "budget" : "done";
}

/** Makes one run and judges it; null where it was interrupted. */
async function madeRun(
  trial: Trial,
  due: DueRun,
  maxCostUsd: number | undefined,
): Promise<TrialLineOf<"run"> | null> {
  const { file, ground } = trial;
  const { of, agent, model, issue, attempt } = due;
  const directory = directoryOf(trial, due);
  const repository = join(directory, "repository.git");
  const work = due.work ?? (await paidWork(trial, due, { directory, repository, maxCostUsd }));
  if (work === null) return null;
  const { reason, ...counts } = work;
  const result = counts.head === null ? null : { repository, commit: counts.head };
  const verdict =
    result === null || work.end !== "completed" ? UNJUDGED : await ground.judge(of.case, of.measure, result);
  if (verdict === null) return null;
  const { output, ...judged } = verdict;
  const run: TrialRun = { issue, agent, model, attempt, ...counts, ...judged };
  const diff = result === null ? "" : await ground.diff(of.case, result);
  const line = { kind: "run", run, diff, reason, output } as const;
  await file.add(line);
  await keepLog(trial, due);
  return line;
}

/** Work that nobody handed in solves nothing, and breaks nothing. */
const UNJUDGED = { solved: false, broken: null, output: "" };

async function paidWork(
  { file, ground, worker }: Trial,
  due: DueRun,
  place: { readonly directory: string; readonly repository: string; readonly maxCostUsd: number | undefined },
): Promise<Work | null> {
  const attempt = attemptOf(due);
  await file.add({ kind: "started", ...attempt });
  await removeTree(place.directory);
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  await ground.prepare(due.of.case, place.repository);
  let work: Work | null = null;
  try {
    work = await worker.work(due, place);
  } finally {
    // Also after an error: what was paid counts.
    await file.add(
      work === null
        ? { kind: "interrupted", ...attempt, cost: await worker.costOf(place.directory) }
        : { kind: "worked", ...attempt, work },
    );
  }
  return work;
}

function attemptOf({ issue, agent, model, attempt }: Attempt): Attempt {
  return { issue, agent, model, attempt };
}

/** Keeps of a run's directory what says why it went as it went. */
async function keepLog(trial: Trial, due: DueRun): Promise<void> {
  const directory = directoryOf(trial, due);
  await rename(join(directory, "flotilla.log"), `${directory}.log`).catch(() => undefined);
  await removeTree(directory);
}

function directoryOf(trial: Trial, attempt: Attempt): string {
  const { arms } = stateNow(trial).aims;
  const arm = arms.findIndex((one) => armKey(one) === armKey(attempt));
  return join(trial.directory, `${attempt.issue}-${arm + 1}-${attempt.attempt}`);
}
