import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runTrial, type Trial, type TrialNews } from "../../../src/cli/trial/run-trial.ts";
import type { TrialGround, TrialWorker } from "../../../src/cli/trial/trial-ground.ts";
import type { Candidate, LeftOut } from "../../../src/domain/trial/trial-case.ts";
import type { TrialAims, TrialLine } from "../../../src/domain/trial/trial-line.ts";
import { dueRuns, stateOf } from "../../../src/domain/trial/trial-state.ts";
import { aCase, aWork, begun, commitOf, GOOD, OTHER } from "../../domain/trial/made-trial.ts";

const root = mkdtempSync(join(tmpdir(), "flotilla-run-trial-"));
afterAll(() => rmSync(root, { recursive: true }));

const leftOut = (issue: number): LeftOut => ({
  issue,
  reason: "flaky",
  detail: "Its tests end differently.",
});
const yes = (issue: number): Candidate => ({ kind: "case", case: aCase(issue).case });
const no = (issue: number): Candidate => ({ kind: "left_out", leftOut: leftOut(issue) });

/** A trial on issues that GitHub would name, with a worker and a judge that answer at once. */
function aTrial(
  lines: TrialLine[],
  given: Partial<Omit<Trial, "ground" | "worker" | "issues">> & {
    readonly wanted?: number;
    readonly issues?: readonly Candidate[];
    readonly ground?: Partial<TrialGround>;
    readonly worker?: Partial<TrialWorker>;
  } = {},
) {
  const { issues = [yes(1), yes(2)], wanted = 2, ground, worker, ...more } = given;
  const asked: string[] = [];
  const news: TrialNews[] = [];
  const directory = mkdtempSync(join(root, "work-"));
  const trial: Trial = {
    file: {
      lines,
      add: async (line) => void lines.push(line),
      close: async () => undefined,
    },
    ground: {
      async *candidates(known) {
        for (const one of issues) {
          const number = one.kind === "case" ? one.case.issue : one.leftOut.issue;
          if (known.has(number)) continue;
          asked.push(`look ${number}`);
          yield one;
        }
      },
      check: async ({ issue }) => {
        asked.push(`check ${issue}`);
        return { kind: "measures", measure: aCase(issue).measure };
      },
      prepare: async (_, path) => mkdirSync(path),
      diff: async (_, result) => (result === null ? "real" : `of ${result.commit.at(-1)}`),
      judge: async (of, _, { commit }) => {
        asked.push(`judge ${of.issue} ${commit.at(-1)}`);
        return { solved: true, broken: 0, output: "ok" };
      },
      ...ground,
    },
    worker: {
      maxCostUsd: 20,
      work: async ({ issue, agent, attempt }, { directory: own, maxCostUsd }) => {
        asked.push(
          `work ${issue} ${agent} ${attempt}${maxCostUsd === undefined ? "" : ` for ${maxCostUsd}`}`,
        );
        writeFileSync(join(own, "flotilla.log"), "said\n");
        return aWork({ head: commitOf(issue) });
      },
      costOf: async () => 0.25,
      ...worker,
    },
    issues: wanted,
    slots: 1,
    budget: undefined,
    directory,
    signal: new AbortController().signal,
    tell: (one) => void news.push(one),
    ...more,
  };
  return { trial, lines, asked, news, directory };
}

const kinds = (lines: readonly TrialLine[]) => lines.map(({ kind }) => kind);
const start = (given: Partial<TrialAims> = {}): TrialLine[] => [begun(given)];

test("cases are looked for until there are enough, each with its reason if it is left out", async () => {
  const { trial, lines, asked, news } = aTrial(start(), {
    wanted: 2,
    issues: [no(9), yes(1), yes(5), yes(2), yes(3)],
    ground: {
      check: async ({ issue }) =>
        issue === 5
          ? { kind: "left_out", leftOut: leftOut(5) }
          : { kind: "measures", measure: aCase(issue).measure },
    },
  });
  expect(await runTrial(trial)).toBe("done");
  const state = stateOf(lines);
  expect(state?.cases.map((one) => [one.case.issue, one.diff])).toEqual([
    [1, "real"],
    [2, "real"],
  ]);
  expect(state?.leftOut).toEqual([leftOut(9), leftOut(5)]);
  expect(asked).not.toContain("look 3");
  expect(news.map(({ kind, done, of }) => [kind, done, of])).toEqual([
    ["left_out", 0, 2],
    ["case", 1, 2],
    ["left_out", 1, 2],
    ["case", 2, 2],
    ["run", 1, 2],
    ["run", 2, 2],
  ]);
});

test("a repository with fewer cases than were asked for is tried on those", async () => {
  const { trial, lines } = aTrial(start(), { wanted: 9, issues: [no(9), yes(1)] });
  expect(await runTrial(trial)).toBe("done");
  expect(kinds(lines)).toEqual(["trial", "left_out", "case", "chosen", "started", "worked", "run"]);
});

test("each run is written as it begins, as it is paid, and as it is judged; its log stays and nothing else", async () => {
  const { trial, lines, asked, directory } = aTrial(start({ arms: [GOOD, OTHER] }), { wanted: 1 });
  expect(await runTrial(trial)).toBe("done");
  expect(asked).toEqual([
    "look 1",
    "check 1",
    "work 1 copilot 1",
    "judge 1 1",
    "work 1 claude 1",
    "judge 1 1",
  ]);
  expect(kinds(lines).slice(3)).toEqual(["started", "worked", "run", "started", "worked", "run"]);
  expect(lines.at(-1)).toMatchObject({
    run: { issue: 1, agent: "claude", solved: true, broken: 0, cost: 0.5, head: commitOf(1) },
    diff: "of 1",
    output: "ok",
  });
  expect(readdirSync(directory).toSorted()).toEqual(["1-1-1.log", "1-2-1.log"]);
});

test("work that was not handed in, or has no commit, is not judged", async () => {
  const ends = [aWork({ end: "escalated" }), aWork({ head: null })];
  const { trial, lines, asked } = aTrial(start(), { worker: { work: async () => ends.shift() ?? null } });
  expect(await runTrial(trial)).toBe("done");
  expect(lines.filter(({ kind }) => kind === "run")).toMatchObject([
    { run: { solved: false, broken: null, end: "escalated" }, diff: "of 7", output: "" },
    { run: { solved: false, broken: null, end: "completed" }, diff: "", output: "" },
  ]);
  expect(asked.filter((one) => one.startsWith("judge"))).toEqual([]);
});

test("a killed trial goes on with what is missing, wherever it was killed, and pays nothing twice", async () => {
  const whole = aTrial(start({ arms: [GOOD, OTHER] }), { issues: [no(9), yes(1), yes(2)] });
  await runTrial(whole.trial);
  const all = [...whole.lines];
  for (let kept = 1; kept <= all.length; kept += 1) {
    const again = aTrial(all.slice(0, kept), { issues: [no(9), yes(1), yes(2)] });
    expect(await runTrial(again.trial)).toBe("done");
    const state = stateOf(again.lines);
    expect(state?.runs.map(({ run }) => [run.issue, run.agent])).toEqual([
      [1, "copilot"],
      [1, "claude"],
      [2, "copilot"],
      [2, "claude"],
    ]);
    const killedAtWork = all[kept - 1]?.kind === "started";
    expect(state?.spent).toBe(killedAtWork ? 2.25 : 2);
    const paid = all.slice(0, kept).filter(({ kind }) => kind === "worked").length;
    expect(again.asked.filter((one) => one.startsWith("work"))).toHaveLength(4 - paid);
  }
});

test("what a killed attempt left is removed, and the attempt is made again", async () => {
  const lines: TrialLine[] = [
    begun(),
    aCase(1),
    { kind: "chosen", issues: 2 },
    { kind: "started", issue: 1, ...GOOD, attempt: 1 },
  ];
  const { trial, asked, directory } = aTrial(lines);
  mkdirSync(join(directory, "1-1-1"));
  expect(await runTrial(trial)).toBe("done");
  expect(lines[4]).toEqual({ kind: "interrupted", issue: 1, ...GOOD, attempt: 1, cost: 0.25 });
  expect(asked).toEqual(["work 1 copilot 2", "judge 1 1"]);
  expect(existsSync(join(directory, "1-1-1"))).toBe(false);
});

test("a trial ends within its budget, and goes on with a greater one", async () => {
  const issues = [1, 2, 3, 4].map(yes);
  const first = aTrial(start(), { wanted: 4, issues, budget: 1, worker: { maxCostUsd: 0.5 } });
  expect(await runTrial(first.trial)).toBe("budget");
  expect(stateOf(first.lines)?.spent).toBe(1);
  const second = aTrial(first.lines, {
    issues,
    wanted: 4,
    budget: 1.75,
    worker: {
      maxCostUsd: 0.5,
      work: async (_, { maxCostUsd }) =>
        aWork(maxCostUsd === undefined ? {} : { end: "out_of_budget", cost: maxCostUsd }),
    },
  });
  expect(await runTrial(second.trial)).toBe("budget");
  expect(stateOf(first.lines)?.runs.map(({ run }) => [run.issue, run.end, run.cost])).toEqual([
    [1, "completed", 0.5],
    [2, "completed", 0.5],
    [3, "completed", 0.5],
    [4, "out_of_budget", 0.25],
  ]);
  const third = aTrial(first.lines, { issues, wanted: 4, budget: 50 });
  expect(await runTrial(third.trial)).toBe("done");
  expect(stateOf(first.lines)?.runs.at(-1)?.run).toMatchObject({ issue: 4, attempt: 2, end: "completed" });
});

test("as many runs as there are slots work at once, and no more", async () => {
  let [now, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const { trial } = aTrial(start(), {
    wanted: 4,
    issues: [1, 2, 3, 4].map(yes),
    slots: 2,
    worker: {
      work: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting.splice(0)) go();
        });
        now -= 1;
        return aWork();
      },
    },
  });
  expect(await runTrial(trial)).toBe("done");
  expect(most).toBe(2);
});

test("an interrupted run is paid as far as it came, and made again", async () => {
  const stop = new AbortController();
  const interruptedWork: TrialWorker["work"] = async () => {
    stop.abort();
    return null;
  };
  const { trial, lines, news } = aTrial(start(), { signal: stop.signal, worker: { work: interruptedWork } });
  expect(await runTrial(trial)).toBe("interrupted");
  expect(lines.at(-1)).toEqual({ kind: "interrupted", issue: 1, ...GOOD, attempt: 1, cost: 0.25 });
  expect(news.filter(({ kind }) => kind === "run")).toEqual([]);
  const state = stateOf(lines);
  expect(state && dueRuns(lines, state).map(({ issue, attempt }) => [issue, attempt])).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

test("an interruption while cases are looked for leaves out none", async () => {
  const stop = new AbortController();
  const { trial, lines } = aTrial(start(), {
    signal: stop.signal,
    ground: {
      check: async ({ issue }) => {
        stop.abort();
        return { kind: "left_out", leftOut: leftOut(issue) };
      },
    },
  });
  expect(await runTrial(trial)).toBe("interrupted");
  expect(kinds(lines)).toEqual(["trial"]);
});

test("a run that cannot be made ends the trial with the reason; what it cost counts, and the rest stays due", async () => {
  const broken = aTrial(start(), {
    worker: { work: async () => Promise.reject(new Error("the sandbox does not start")) },
  });
  await expect(runTrial(broken.trial)).rejects.toThrow("the sandbox does not start");
  expect(broken.lines.at(-1)).toMatchObject({ kind: "interrupted", cost: 0.25 });
  expect(await runTrial(aTrial(broken.lines).trial)).toBe("done");
});

test("more cases than before can be asked for", async () => {
  const issues = [no(9), yes(1), yes(2), yes(3)];
  const first = aTrial(start(), { wanted: 1, issues });
  expect(await runTrial(first.trial)).toBe("done");
  const second = aTrial(first.lines, { wanted: 3, issues });
  expect(await runTrial(second.trial)).toBe("done");
  expect(second.asked.filter((one) => !one.startsWith("judge"))).toEqual([
    "look 2",
    "check 2",
    "look 3",
    "check 3",
    "work 2 copilot 1",
    "work 3 copilot 1",
  ]);
  const third = aTrial(first.lines, { wanted: 2, issues });
  expect(await runTrial(third.trial)).toBe("done");
  expect(third.asked).toEqual([]);
});

test("a judgement that is interrupted is made by the next process, without paying again", async () => {
  const stop = new AbortController();
  const judge: TrialGround["judge"] = async () => {
    stop.abort();
    return null;
  };
  const first = aTrial(start(), { wanted: 1, signal: stop.signal, ground: { judge } });
  expect(await runTrial(first.trial)).toBe("interrupted");
  expect(kinds(first.lines).at(-1)).toBe("worked");
  const second = aTrial(first.lines, { wanted: 1 });
  expect(await runTrial(second.trial)).toBe("done");
  expect(second.asked).toEqual(["judge 1 1"]);
});
