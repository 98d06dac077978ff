import { dayOf } from "../../domain/breakers/day-budget.ts";
import type { LedgerPart } from "../../domain/ports/audit-tables.ts";
import type { OfRepositories } from "../../domain/ports/lists.ts";
import { addLines, type LedgerKey, type LedgerLine, ledgerTotal } from "../../domain/reporting/ledger.ts";
import { usd } from "./agent-view.ts";
import { type BudgetSeen, budgetsSeen, daysSeen } from "./budgets-seen.ts";
import { daysAgo, firstLines, ledgerJson, ledgerSums } from "./ledger.ts";
import type { ApiParts } from "./parts.ts";
import { isoDay } from "./periods.ts";

/** Lines of each kind that are shown, the most expensive ones. */
const LINES = 50;
const DAY_MS = 86_400_000;

const BYS = ["day", "repository", "role", "model"] as const satisfies readonly LedgerKey[];

/**
 * Sums up what the work of the repositories that the viewer may see (null for all) has cost in the last `days` days in UTC, up
 * to today, and lists the budgets that limit it. Takes its own turns.
 */
export async function costs(
  parts: Pick<ApiParts, "store" | "turns" | "settings" | "dayBudgets" | "now">,
  mine: OfRepositories,
  days: number,
) {
  const { store, turns, now } = parts;
  const from = daysAgo(days, now);
  const sums = await sumsOf(parts, mine, from);
  const lines = (by: (typeof BYS)[number]) => [...(sums.get(by)?.values() ?? [])];
  const first = async (by: (typeof BYS)[number]) =>
    (await firstLines(turns, by, sums.get(by) ?? new Map(), { after: null, limit: LINES })).map(ledgerJson);
  const repositories = await first("repository");
  const today = (await turns.take(() => store.lists.costs(dayOf(now)))).filter(
    ({ repositoryId }) => mine === null || mine.includes(repositoryId),
  );
  const budgets: readonly BudgetSeen[] = await turns.take(() => budgetsSeen(parts, mine, now));
  return {
    days,
    today_usd: usd(today.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0)),
    total: ledgerJson(ledgerTotal(lines("repository"))),
    by_day: Array.from({ length: days }, (_, index) => {
      const key = isoDay(from + index * DAY_MS);
      return { key, value: usd(sums.get("day")?.get(key)?.costMicroUsd ?? 0) };
    }),
    by_repository: repositories,
    by_role: await first("role"),
    by_model: await first("model"),
    /** How many repositories cost less than those that are listed. */
    more_repositories: lines("repository").length - repositories.length,
    budgets,
    repository_days: await turns.take(() => daysSeen(parts, today, mine)),
  };
}

export type Costs = Awaited<ReturnType<typeof costs>>;

/** Reads the rows of each repository once, or those of all at once. */
async function sumsOf(
  parts: Pick<ApiParts, "store" | "turns" | "now">,
  mine: OfRepositories,
  from: number,
): Promise<ReadonlyMap<LedgerKey, ReadonlyMap<string, LedgerLine>>> {
  const sums = new Map<LedgerKey, Map<string, LedgerLine>>(BYS.map((by) => [by, new Map()]));
  const all: readonly (LedgerPart | null)[] =
    mine === null ? [null] : mine.map((repositoryId) => ({ repositoryId, issues: null }));
  for (const part of all) {
    const found = await ledgerSums(parts, BYS, { from, to: parts.now, part });
    for (const [index, by] of BYS.entries())
      for (const [key, line] of found[index] ?? []) {
        const known = sums.get(by)?.get(key);
        sums.get(by)?.set(key, known === undefined ? line : addLines(known, line));
      }
  }
  return sums;
}
