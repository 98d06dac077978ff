import type { LeftOut } from "./trial-case.ts";
import type { TrialAims, TrialArm, TrialLine, TrialLineOf, Work } from "./trial-line.ts";

/** What the file of a trial says so far. */
export interface TrialState {
  readonly aims: TrialAims;
  /** ISO 8601. */
  readonly begun: string;
  readonly cases: readonly TrialLineOf<"case">[];
  readonly leftOut: readonly LeftOut[];
  /** How many cases were asked for when no more were looked for; 0 while they are still looked for. */
  readonly chosen: number;
  readonly runs: readonly TrialLineOf<"run">[];
  /** Attempts whose process was killed while the agent worked. */
  readonly open: readonly TrialLineOf<"started">[];
  /** Attempts whose work has ended, and is not judged yet. */
  readonly unjudged: readonly TrialLineOf<"worked">[];
  /** US dollars of all attempts, as far as they are known. */
  readonly spent: number;
}

/** An attempt at a case with an agent and a model. */
export interface Attempt extends TrialArm {
  readonly issue: number;
  readonly attempt: number;
}

/** Returns what the lines say; null where the first one is not there yet. */
export function stateOf(lines: readonly TrialLine[]): TrialState | null {
  const [first] = lines;
  if (first?.kind !== "trial") return null;
  const of = <K extends TrialLine["kind"]>(kind: K): readonly TrialLineOf<K>[] =>
    lines.filter((line): line is TrialLineOf<K> => line.kind === kind);
  const runs = of("run");
  const interrupted = of("interrupted");
  const worked = of("worked");
  const judged = new Set(runs.map(({ run }) => attemptKey(run)));
  const over = new Set([...worked, ...interrupted].map(attemptKey));
  return {
    aims: first.aims,
    begun: first.at,
    cases: of("case"),
    leftOut: of("left_out").map(({ leftOut }) => leftOut),
    chosen: Math.max(0, ...of("chosen").map(({ issues }) => issues)),
    runs,
    open: of("started").filter((started) => !over.has(attemptKey(started))),
    unjudged: worked.filter((line) => !judged.has(attemptKey(line))),
    spent: [...worked.map(({ work }) => work), ...interrupted].reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** A run that is still to be made, or only to be judged. */
export interface DueRun extends Attempt {
  readonly of: TrialLineOf<"case">;
  /** The agent's work, where only the judgement is missing. */
  readonly work: Work | null;
}

/**
 * Returns the runs that are still to be made: case by case, so that a trial that ends early has tried all arms on the same
 * cases. A run that ended for want of budget is made again.
 */
export function dueRuns(lines: readonly TrialLine[], state: TrialState): readonly DueRun[] {
  const { cases, runs, unjudged, aims } = state;
  const done = new Set(runs.flatMap(({ run }) => (run.end === "out_of_budget" ? [] : pairKey(run))));
  const started = lines.filter((line) => line.kind === "started");
  return cases.flatMap((of) =>
    aims.arms.flatMap((arm): DueRun[] => {
      const pair = { issue: of.case.issue, ...arm };
      const isOfPair = (one: Omit<Attempt, "attempt">) => pairKey(one) === pairKey(pair);
      const worked = unjudged.find(isOfPair);
      if (worked !== undefined) return [{ ...pair, attempt: worked.attempt, of, work: worked.work }];
      const attempt = started.filter(isOfPair).length + 1;
      return done.has(pairKey(pair)) ? [] : [{ ...pair, attempt, of, work: null }];
    }),
  );
}

/** Returns the runs that count: the last of each case and arm, without those that the budget ended. */
export function countedRuns({ runs }: Pick<TrialState, "runs">): readonly TrialLineOf<"run">[] {
  const last = new Map(runs.map((line) => [pairKey(line.run), line]));
  return [...last.values()].filter(({ run }) => run.end !== "out_of_budget");
}

export function armKey({ agent, model }: TrialArm): string {
  return JSON.stringify([agent, model]);
}

function pairKey({ issue, ...arm }: TrialArm & { readonly issue: number }): string {
  return `${issue} ${armKey(arm)}`;
}

function attemptKey(attempt: Attempt): string {
  return `${pairKey(attempt)} ${attempt.attempt}`;
}

/** Returns which of its aims a trial does not share with its file, in words; empty where it can go on. */
export function otherAims(now: TrialAims, then: TrialAims): readonly string[] {
  const names: Readonly<Record<keyof TrialAims, string>> = {
    repository: "the repository",
    arms: "--agent and --model",
    role: "--role",
    roleDigest: "the prompt, tools or limits of the role",
    setup: "the setup commands",
    tests: "the test commands",
  };
  const keys = ["repository", "arms", "role", "roleDigest", "setup", "tests"] as const;
  return keys
    .filter((key) => JSON.stringify(now[key]) !== JSON.stringify(then[key]))
    .map((key) => names[key]);
}
