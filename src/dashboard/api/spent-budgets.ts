import { type BudgetInForce, beginsOn, budgetsInForce } from "../../domain/breakers/budgets.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { usd } from "./agent-view.ts";
import { sharers } from "./budgets-seen.ts";

/** A budget is shown from this part on. */
const NEARLY = 0.8;

/**
 * Lists the budgets of `circuit_breakers.budgets` of which four fifths are spent. `mine`: the ids of the repositories that
 * the viewer may see, or null for all; a budget that others share with them is left out.
 */
export async function spentBudgets(
  { store, settings }: { readonly store: Store; readonly settings: Pick<Settings, "budgets"> },
  mine: readonly number[] | null,
  now: number,
) {
  const all = await store.repositories.all();
  const found = [];
  for (const budget of budgetsInForce(settings.budgets)) {
    const costs = await store.lists.costs(beginsOn(budget, now));
    const cost = new Map(costs.map(({ repositoryId, costMicroUsd }) => [repositoryId, costMicroUsd]));
    for (const members of sharers(budget, all)) {
      const spent = members.reduce((sum, { id }) => sum + (cost.get(id) ?? 0), 0);
      const seen = mine === null || members.every(({ id }) => mine.includes(id));
      if (seen && spent >= NEARLY * budget.allowed) found.push(budgetJson(budget, members, spent));
    }
  }
  return found;
}

export type SpentBudget = Awaited<ReturnType<typeof spentBudgets>>[number];

function budgetJson(
  { key, of, period, allowed }: BudgetInForce,
  members: readonly RepositoryRow[],
  spent: number,
) {
  return {
    key: `circuit_breakers.budgets.${key}`,
    of,
    repositories: members.map(fullName),
    period,
    spent_usd: usd(spent),
    allowed_usd: usd(allowed),
    reached: spent >= allowed,
  };
}
