import { type BudgetInForce, beginsOn, budgetsInForce } from "../../domain/breakers/budgets.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { OfRepositories } from "../../domain/ports/lists.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { usd } from "./agent-view.ts";
import type { DashboardParts } from "./parts.ts";

interface Given {
  readonly store: Store;
  readonly settings: Pick<Settings, "budgets">;
  readonly dayBudgets: DashboardParts["dayBudgets"];
}

/** What is shown of one budget. */
export interface BudgetSeen {
  /** Its key in the configuration. */
  readonly key: string;
  readonly of: "repository" | "installation";
  readonly repositories: readonly string[];
  readonly period: "day" | "month";
  readonly spent_usd: number;
  /** The most that the next model calls of its working agents can cost: it counts as if it were spent. */
  readonly reserved_usd: number;
  readonly allowed_usd: number;
  /** Nothing more begins: all of it is spent or reserved. */
  readonly reached: boolean;
}

/**
 * Lists the budgets of `circuit_breakers.budgets`. `mine`: the ids of the repositories that the viewer may see, or null for
 * all; a budget that others share with them is left out.
 */
export async function budgetsSeen(
  { store, settings, dayBudgets }: Given,
  mine: OfRepositories,
  now: number,
): Promise<readonly BudgetSeen[]> {
  const budgets = budgetsInForce(settings.budgets);
  if (budgets.length === 0) return [];
  const all = await store.repositories.all();
  const days = await dayBudgets(all.map(({ id }) => id));
  const found: BudgetSeen[] = [];
  for (const budget of budgets) {
    const cost = new Map(
      (await store.lists.costs(beginsOn(budget, now))).map((each) => [each.repositoryId, each.costMicroUsd]),
    );
    for (const members of sharers(budget, all)) {
      if (mine !== null && !members.every(({ id }) => mine.includes(id))) continue;
      const sum = (of: (id: number) => number) => members.reduce((so, { id }) => so + of(id), 0);
      const spent = sum((id) => cost.get(id) ?? 0);
      const reserved = sum((id) => days.get(id)?.reserved ?? 0);
      found.push({
        key: `circuit_breakers.budgets.${budget.key}`,
        of: budget.of,
        repositories: members.map(fullName),
        period: budget.period,
        ...amounts({ spent, reserved, allowed: budget.allowed }),
      });
    }
  }
  return found;
}

/** Repositories whose day is shown, those that spent most of it. */
const DAYS_SHOWN = 50;

/** Lists the day of each repository that has cost something today, or has an agent at work, and has a limit. */
export async function daysSeen(
  { store, dayBudgets }: Pick<Given, "store" | "dayBudgets">,
  today: Awaited<ReturnType<Store["lists"]["costs"]>>,
  mine: OfRepositories,
): Promise<readonly BudgetSeen[]> {
  const spent = new Map(today.map(({ repositoryId, costMicroUsd }) => [repositoryId, costMicroUsd]));
  const all = (await store.repositories.all()).filter(({ id }) => mine === null || mine.includes(id));
  const days = await dayBudgets(all.map(({ id }) => id));
  const found = all.flatMap((repository): BudgetSeen[] => {
    const day = days.get(repository.id);
    const cost = spent.get(repository.id) ?? 0;
    if (day === undefined || day.allowed === null || cost + day.reserved === 0) return [];
    return [
      {
        key: "circuit_breakers.repository_per_day.max_cost_usd",
        of: "repository",
        repositories: [fullName(repository)],
        period: "day",
        ...amounts({ spent: cost, reserved: day.reserved, allowed: day.allowed }),
      },
    ];
  });
  const part = (seen: BudgetSeen) => (seen.spent_usd + seen.reserved_usd) / seen.allowed_usd;
  return found.toSorted((one, other) => part(other) - part(one)).slice(0, DAYS_SHOWN);
}

function amounts(budget: { readonly spent: number; readonly reserved: number; readonly allowed: number }) {
  const { spent, reserved, allowed } = budget;
  return {
    spent_usd: usd(spent),
    reserved_usd: usd(reserved),
    allowed_usd: usd(allowed),
    reached: spent + reserved >= allowed,
  };
}

/** Returns the repositories in groups, each with a budget in common. */
export function sharers(
  { of }: Pick<BudgetInForce, "of">,
  all: readonly RepositoryRow[],
): readonly (readonly RepositoryRow[])[] {
  const shared = Map.groupBy(all, ({ id, installationId }) => (of === "repository" ? id : installationId));
  return [...shared.values()];
}
