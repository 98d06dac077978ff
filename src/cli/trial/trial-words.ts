import { duration } from "../../domain/messages/format.ts";
import type { Comparison, Flip, MeasureName } from "../../domain/trial/results.ts";
import type { Quartiles, Share } from "../../domain/trial/statistics.ts";
import type { LeftOutReason, TrialEnd } from "../../domain/trial/trial-case.ts";
import type { TrialArm } from "../../domain/trial/trial-line.ts";

export const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, string>> = {
  no_pull: "no merged pull request closed it",
  several_issues: "its pull request closed other issues too",
  opened_later: "it was opened after the work began",
  edited_later: "its text was changed after the work began",
  text_names_fix: "its text names the fix",
  text_holds_fix: "its text holds the fix",
  no_history: "its commits are gone",
  no_tests: "its pull request changed no tests",
  only_tests: "its pull request changed only tests",
  setup_failed: "the setup fails",
  never_failed: "its tests pass without the change",
  fails_with_change: "its tests fail with the change",
  flaky: "its tests end differently each time",
  not_run: "its tests do not run",
};

export const END_WORDS: Readonly<Record<TrialEnd, string>> = {
  completed: "handed in",
  escalated: "gave up or asked a person",
  failed: "failed",
  out_of_budget: "ended for want of budget",
};

export function armWords({ agent, model }: TrialArm): string {
  return `${agent} (${model})`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Returns `12 of 20 (60 %)`. */
export function shareWords({ count, of, share }: Share): string {
  return of === 0 ? "none yet" : `${count} of ${of} (${percent(share)})`;
}

/** Returns the 95 % interval, such as `39 – 78 %`. */
export function intervalWords({ of, low, high }: Share): string {
  return of === 0 ? "" : `${Math.round(low * 100)} – ${percent(high)}`;
}

/** Rounded to the cent; what is less than a cent is not nothing. */
export function usd(dollars: number): string {
  const size = Math.abs(dollars);
  if (size < 0.00005) return "$0.00";
  const sign = dollars < 0 ? "−" : "";
  return `${sign}$${size < 0.005 ? size.toFixed(4) : size.toFixed(2)}`;
}

const tokenWords = (tokens: number): string => {
  const size = Math.abs(tokens);
  const sign = Math.round(tokens) < 0 ? "−" : "";
  if (size < 1000) return `${sign}${Math.round(size)}`;
  return size < 999_500 ? `${sign}${Math.round(size / 1000)} k` : `${sign}${(size / 1e6).toFixed(1)} M`;
};

const WRITTEN: Readonly<Record<MeasureName, (value: number) => string>> = {
  cost: usd,
  tokens: tokenWords,
  turns: (turns) => (Math.round(turns) < 0 ? `−${-Math.round(turns)}` : String(Math.round(turns))),
  seconds: (seconds) => `${Math.round(seconds) < 0 ? "−" : ""}${duration(Math.abs(seconds) * 1000)}`,
};

/** Returns the median with the quartiles, such as `$0.41 ($0.20 – $0.70)`. */
export function quartileWords(name: MeasureName, values: Quartiles | null): string {
  return values === null ? "" : spread(values, WRITTEN[name]);
}

/** Returns how much more it is, such as `+$0.41 (−$0.20 – +$0.70)`. */
export function moreWords(name: MeasureName, values: Quartiles | null): string {
  const written = (value: number): string => {
    const text = WRITTEN[name](value);
    return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
  };
  return values === null ? "" : spread(values, written);
}

function spread({ low, median, high }: Quartiles, written: (value: number) => string): string {
  const [from, middle, to] = [written(low), written(median), written(high)];
  return from === to ? middle : `${middle} (${from} – ${to})`;
}

const points = (share: number): string => {
  const rounded = Math.round(share * 100);
  if (rounded === 0) return "0";
  return rounded < 0 ? `−${-rounded}` : `+${rounded}`;
};

/** Returns what is compared. */
export function comparisonTitle({ before, after }: Comparison, isOlder: boolean): string {
  return `${armWords(after)} against ${armWords(before)}${isOlder ? " of the older trial" : ""}`;
}

/** Returns sentences about a comparison: how many more cases are solved, how sure that is, and what it costs. */
export function comparisonWords({ pairs, solved, more }: Comparison): readonly string[] {
  const of = pairs.both + pairs.onlyBefore + pairs.onlyAfter + pairs.neither;
  if (of === 0) return ["No case was tried by both yet."];
  const changed = pairs.onlyBefore + pairs.onlyAfter;
  return [
    `Of the ${of} cases that both were tried on it solved ${pairs.both + pairs.onlyAfter}, against ${pairs.both + pairs.onlyBefore}: ${points(solved.change)} points (95 %: ${points(solved.low)} to ${points(solved.high)}).`,
    changed === 0
      ? "Each case ended alike."
      : `${changed} ended differently: ${pairs.onlyAfter} better, ${pairs.onlyBefore} worse. ${chanceWords(solved.chance)}`,
    `In the median a case took more: cost ${moreWords("cost", more.cost)}; turns ${moreWords("turns", more.turns)}; tokens ${moreWords("tokens", more.tokens)}; time ${moreWords("seconds", more.seconds)}.`,
  ];
}

function chanceWords(chance: number): string {
  const likely = chance < 0.01 ? "less than 1 %" : percent(chance);
  return chance < 0.05
    ? `Chance alone splits them as unevenly in ${likely} of such trials.`
    : `Chance alone splits them as unevenly in ${likely} of such trials: this does not show which one is better.`;
}

export const FLIP_WORDS: Readonly<Record<Flip["to"], string>> = {
  solved: "now solved",
  unsolved: "no longer solved",
};
