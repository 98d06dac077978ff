import { AGENT_STATES } from "../../domain/agents/agent-record.ts";
import type { LedgerPart } from "../../domain/ports/audit-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { ledgerTotal } from "../../domain/reporting/ledger.ts";
import { usd } from "./agent-view.ts";
import { firstLines, type LedgerJson, ledgerJson, ledgerSums } from "./ledger.ts";
import { MOST } from "./paging.ts";
import { isoDay, type Period, type PeriodSpan, periodsUpTo } from "./periods.ts";
import type { ReadTurns } from "./read-turns.ts";

/** At most this many agents, the latest ones, count in the time by state. */
const MOST_AGENTS = 300;

/** One bar of a plot. */
export interface Bar {
  readonly key: string;
  readonly value: number;
}

/** The results, cost and time of a repository or goal; bars are oldest first. */
export interface Figures {
  readonly per: Period;
  /** The ledger's lines of the whole period, summed up as one. */
  readonly total: LedgerJson;
  /** Numbers of tasks. */
  readonly merged: readonly Bar[];
  /** Numbers of agents that failed or were cancelled. */
  readonly given_up: readonly Bar[];
  /** US dollars, from the ledger. */
  readonly cost_usd: readonly Bar[];
  /** US dollars by issue, the most expensive first, at most 500. */
  readonly cost_by_issue_usd: readonly Bar[];
  /** Hours, by agent state. */
  readonly hours_in_state: readonly Bar[];
}

/**
 * Computes the figures of a repository or a part of its work. Sums come from the ledger, so that both agree. Takes its
 * own turns.
 */
export async function figuresOf(
  {
    store,
    turns,
  }: { readonly store: Pick<Tables, "lists" | "ledger" | "repositories">; readonly turns: ReadTurns },
  part: LedgerPart,
  { now, per }: { readonly now: number; readonly per: Period },
): Promise<Figures> {
  const spans = periodsUpTo(now, per);
  const from = spans[0]?.from ?? now;
  const [days = new Map(), issues = new Map(), whole = new Map()] = await ledgerSums(
    { store, turns },
    ["day", "issue", "repository"],
    { from, to: now, part },
  );
  const gaveUp = await turns.take(() => store.lists.gaveUp(part, from));
  const dearest = await firstLines(turns, "issue", issues, { after: null, limit: MOST });
  const summed = (of: "merged" | "costMicroUsd", span: PeriodSpan): number =>
    [...days.values()]
      .filter(({ key }) => key >= span.key && key < isoDay(span.to))
      .reduce((sum, line) => sum + line[of], 0);
  return {
    per,
    total: ledgerJson(ledgerTotal([...whole.values()])),
    merged: spans.map((span) => ({ key: span.key, value: summed("merged", span) })),
    given_up: spans.map((span) => ({ key: span.key, value: gaveUp.filter(isIn(span)).length })),
    cost_usd: spans.map((span) => ({ key: span.key, value: usd(summed("costMicroUsd", span)) })),
    cost_by_issue_usd: dearest.map(({ key, costMicroUsd }) => ({
      key: key.replace(/^.*#/, "#"),
      value: usd(costMicroUsd),
    })),
    hours_in_state: await hoursInState({ store, turns }, part, { from, now }),
  };
}

function isIn({ from, to }: PeriodSpan) {
  return (at: number): boolean => at >= from && at < to;
}

/** Sums up hours by state. Excludes final states, in which no time passes. */
async function hoursInState(
  { store: { lists }, turns }: { readonly store: Pick<Tables, "lists">; readonly turns: ReadTurns },
  part: LedgerPart,
  { from, now }: { readonly from: number; readonly now: number },
): Promise<readonly Bar[]> {
  const hours = new Map<string, number>();
  const lived = await turns.take(() => lists.lived(part, from, MOST_AGENTS));
  const found = await turns.take(() => lists.agentMoves(lived.map(({ id }) => id)));
  const moves = Map.groupBy(found, ({ agentId }) => agentId);
  for (const agent of lived)
    for (const [index, { at, to }] of (moves.get(agent.id) ?? []).entries()) {
      const until = moves.get(agent.id)?.[index + 1]?.at ?? agent.endedAt ?? now;
      const ms = Math.max(0, until - Math.max(at, from));
      hours.set(to, (hours.get(to) ?? 0) + ms / 3_600_000);
    }
  const atWork = AGENT_STATES.filter((state) => !["COMPLETED", "FAILED", "CANCELLED"].includes(state));
  return atWork.map((state) => ({ key: state, value: Math.round((hours.get(state) ?? 0) * 100) / 100 }));
}
