import { agentKey } from "../agents/agent-key.ts";
import { startOfDay } from "../breakers/day-budget.ts";
import { type Amounts, type LedgerRows, NO_AMOUNTS, type Posting, postings } from "./postings.ts";

/** What the ledger can be summed by. */
export const LEDGER_KEYS = ["day", "issue", "role", "model", "runtime", "repository", "run"] as const;
export type LedgerKey = (typeof LEDGER_KEYS)[number];

/** A line of the ledger: the sums for one key. */
export interface LedgerLine extends Amounts {
  /** `2026-03-01`, `owner/name#42`, a role, a model, a runtime, `owner/name` or an agent's key; `none` where there is none. */
  readonly key: string;
  /** Number of agents that called a model or were awake. */
  readonly runs: number;
}

const NONE = "none";

/**
 * Returns the sums for the work of `[from, to)`; the total is the same for every key. Days come in their order, others
 * with the most expensive first. `names` are the repositories' full names by id.
 */
export function ledger(
  rows: LedgerRows,
  by: LedgerKey,
  span: { readonly from: number; readonly to: number; readonly names: ReadonlyMap<number, string> },
): readonly LedgerLine[] {
  const groups = Map.groupBy(postings(rows, span), (posting) => keyOf(posting, by, span.names));
  return [...groups].map(([key, group]) => lineOf(key, group)).toSorted(lineOrder(by));
}

/** Returns the order of the ledger's lines; keys are unique. */
export function lineOrder(by: LedgerKey): (one: LedgerLine, other: LedgerLine) => number {
  return (one, other) => {
    const first = one.key < other.key ? -1 : 1;
    return by === "day" ? first : other.costMicroUsd - one.costMicroUsd || first;
  };
}

/** Adds two lines with one key. Their work must have no agent in common, else `runs` counts it twice. */
export function addLines(one: LedgerLine, other: LedgerLine): LedgerLine {
  return { key: one.key, runs: one.runs + other.runs, ...summed([one, other]) };
}

/** Returns the sum of all lines, which must be summed by run: with another key `runs` may count a run twice. */
export function ledgerTotal(lines: readonly LedgerLine[]): LedgerLine {
  const runs = lines.reduce((sum, line) => sum + line.runs, 0);
  return { key: "total", runs, ...summed(lines) };
}

function lineOf(key: string, group: readonly Posting[]): LedgerLine {
  const worked = group.flatMap(({ agent, amounts }) =>
    agent !== undefined && ("wallMs" in amounts || "tokensIn" in amounts) ? [agent.id] : [],
  );
  return { key, runs: new Set(worked).size, ...summed(group.map(({ amounts }) => amounts)) };
}

function summed(all: readonly Partial<Amounts>[]): Amounts {
  const sum = (of: keyof Amounts): number => all.reduce((so, each) => so + (each[of] ?? NO_AMOUNTS[of]), 0);
  return {
    tokensIn: sum("tokensIn"),
    tokensCached: sum("tokensCached"),
    tokensOut: sum("tokensOut"),
    costMicroUsd: sum("costMicroUsd"),
    wallMs: sum("wallMs"),
    touches: sum("touches"),
    merged: sum("merged"),
    finished: sum("finished"),
    reverted: sum("reverted"),
  };
}

function keyOf(posting: Posting, by: LedgerKey, names: ReadonlyMap<number, string>): string {
  const { agent, repositoryId, issue, day, model } = posting;
  const repository = names.get(repositoryId) ?? String(repositoryId);
  switch (by) {
    case "day":
      return new Date(startOfDay(day)).toISOString().slice(0, 10);
    case "issue":
      return `${repository}#${issue}`;
    case "role":
      return agent?.role ?? NONE;
    case "model":
      return model ?? NONE;
    case "runtime":
      return agent?.runtime ?? NONE;
    case "repository":
      return repository;
    case "run":
      return agent === undefined ? NONE : agentKey(repository, agent.name);
  }
}
