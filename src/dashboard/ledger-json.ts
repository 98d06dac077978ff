import { dayOf, startOfDay } from "../core/day-budget.ts";
import type { LedgerLine } from "../core/ledger/ledger.ts";

/** A line of the ledger as the API and the command show it. Sums are exact: dollars have six digits. */
export interface LedgerJson {
  readonly key: string;
  readonly runs: number;
  readonly tokens_in: number;
  /** Among `tokens_in`. */
  readonly tokens_cached: number;
  readonly tokens_out: number;
  readonly cost_usd: number;
  /** Time that agents were awake. */
  readonly wall_seconds: number;
  readonly touches: number;
  readonly merged: number;
  /** Tasks that ended: merged or abandoned. */
  readonly finished: number;
  /** Merged work that was taken back on the default branch. */
  readonly reverted: number;
  /** Share of the finished that was merged; null while none is finished. */
  readonly acceptance: number | null;
  /** Null while none is merged. */
  readonly cost_per_merged_usd: number | null;
}

export function ledgerJson(line: LedgerLine): LedgerJson {
  const { key, runs, touches, merged, finished, reverted } = line;
  const costUsd = line.costMicroUsd / 1_000_000;
  return {
    key,
    runs,
    tokens_in: line.tokensIn,
    tokens_cached: line.tokensCached,
    tokens_out: line.tokensOut,
    cost_usd: costUsd,
    wall_seconds: line.wallMs / 1000,
    touches,
    merged,
    finished,
    reverted,
    acceptance: finished === 0 ? null : merged / finished,
    cost_per_merged_usd: merged === 0 ? null : Math.round(line.costMicroUsd / merged) / 1_000_000,
  };
}

/** The beginning, in UTC, of the day from which on there are `days` days, today included. */
export function daysAgo(days: number, now: number): number {
  return startOfDay(dayOf(now) - days + 1);
}
