import type { Comparison } from "../../domain/trial/results.ts";
import { armsCompared, resultsOf } from "../../domain/trial/results.ts";
import type { LeftOutReason, TrialEnd } from "../../domain/trial/trial-case.ts";
import { countedRuns, type TrialState } from "../../domain/trial/trial-state.ts";
import type { Print } from "../printer.ts";
import { printTable } from "../table.ts";
import type { TrialNews } from "./run-trial.ts";
import {
  armWords,
  comparisonTitle,
  comparisonWords,
  END_WORDS,
  FLIP_WORDS,
  intervalWords,
  LEFT_OUT_WORDS,
  quartileWords,
  shareWords,
  usd,
} from "./trial-words.ts";

/** The columns of the table of results. */
export const RESULT_HEAD = [
  "AGENT",
  "MODEL",
  "SOLVED",
  "95 %",
  "COST",
  "EACH SOLVED",
  "BROKE TESTS",
  "TURNS",
  "TOKENS",
  "TIME",
] as const;

/** Returns the rows of the table of results: shares with their interval, medians with their quartiles. */
export function resultRows(state: TrialState): readonly (readonly string[])[] {
  return resultsOf(state).map(({ arm, solved, breaking, of, costPerSolved }) => [
    arm.agent,
    arm.model,
    shareWords(solved),
    intervalWords(solved),
    quartileWords("cost", of.cost),
    costPerSolved === null ? "" : usd(costPerSolved),
    breaking.of === 0 ? "not known" : `${breaking.count} of ${breaking.of}`,
    quartileWords("turns", of.turns),
    quartileWords("tokens", of.tokens),
    quartileWords("seconds", of.seconds),
  ]);
}

/** Prints what a trial says so far. */
export function printTrial(print: Print, state: TrialState, against: readonly Comparison[] | null): void {
  const { cases, leftOut, aims } = state;
  print(
    `${aims.repository}: ${many(cases.length, "case")}, ${many(leftOut.length, "issue")} left out. Role ${aims.role}. Spent: ${usd(state.spent)}.`,
  );
  for (const { words, count } of leftOutCounts(state)) print(`  left out: ${count} × ${words}`);
  print("");
  printTable(print, RESULT_HEAD, resultRows(state));
  const ends = endSentences(state);
  if (ends.length > 0) print("");
  for (const sentence of ends) print(sentence);
  for (const one of armsCompared(state)) printComparison(print, one, false);
  for (const one of against ?? []) printComparison(print, one, true);
  if (against?.length === 0) {
    print("");
    print("The older trial has no agent with a model that this one has, so there is nothing to compare.");
  }
}

function printComparison(print: Print, comparison: Comparison, isOlder: boolean): void {
  const title = comparisonTitle(comparison, isOlder);
  print("");
  print(title, { style: "bold", length: title.length });
  for (const sentence of comparisonWords(comparison)) print(`  ${sentence}`);
  for (const { issue, title: of, to } of comparison.flips) print(`  ${FLIP_WORDS[to]}: #${issue} ${of}`);
}

/** Returns how many issues were left out for each reason, the most frequent first. */
function leftOutCounts({
  leftOut,
}: Pick<TrialState, "leftOut">): readonly { readonly words: string; readonly count: number }[] {
  const counts = new Map<LeftOutReason, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ words: LEFT_OUT_WORDS[reason], count }))
    .toSorted((a, b) => b.count - a.count);
}

/** Says of each arm how its runs ended, where not all were handed in, and what does not count. */
export function endSentences(state: TrialState): readonly string[] {
  const ends: readonly TrialEnd[] = ["completed", "escalated", "failed"];
  const sentences = resultsOf(state).flatMap(({ arm, ends: counts, solved }) => {
    if (counts.completed === solved.of) return [];
    const parts = ends.flatMap((end) => (counts[end] === 0 ? [] : `${counts[end]} ${END_WORDS[end]}`));
    return [`${armWords(arm)}: ${parts.join(", ")}.`];
  });
  const uncounted = state.runs.length - countedRuns(state).length;
  return uncounted === 0
    ? sentences
    : [
        ...sentences,
        `${many(uncounted, "run")} ended for want of budget and ${uncounted === 1 ? "does" : "do"} not count.`,
      ];
}

/** Returns one line about what was just finished. */
export function newsLine(news: TrialNews): string {
  if (news.kind === "run") {
    const { issue, end, solved, cost, turns } = news.run;
    const how = end === "completed" ? (solved ? "solved" : "not solved") : `not solved: ${END_WORDS[end]}`;
    return `[${news.done}/${news.of}] #${issue} ${armWords(news.run)}: ${how}; ${usd(cost)}, ${many(turns, "turn")}`;
  }
  if (news.candidate.kind === "case")
    return `[${news.done}/${news.of}] #${news.candidate.case.issue} ${news.candidate.case.title}`;
  const { issue, detail } = news.candidate.leftOut;
  return `#${issue} is left out. ${detail}`;
}

/** Returns the JSON of a trial. */
export function trialJson(state: TrialState, against: readonly Comparison[] | null): object {
  const { aims, cases, leftOut, spent } = state;
  return {
    ...aims,
    cases: cases.map(({ case: { issue, title, pull, base, change } }) => ({
      issue,
      title,
      pull,
      base,
      change,
    })),
    leftOut,
    results: resultsOf(state),
    compared: armsCompared(state),
    against,
    runs: state.runs.map(({ run, reason }) => ({ ...run, reason })),
    spent,
  };
}

function many(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
