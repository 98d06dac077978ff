import { section, setting, type Values } from "../settings/keys.ts";
import { dayOf } from "./day-budget.ts";
import { dollarLimit, dollars, microUsd } from "./money.ts";

export const budgets = section(
  "budgets",
  "Limits of costs in US dollars beside `repository_per_day`, or `off`. Days and months are those of UTC.",
  {
    repositoryPerMonth: setting("repository_per_month", dollarLimit(), {
      description: "US dollars that one repository may cost in a calendar month (UTC), or `off`.",
      default: "off",
    }),
    installationPerDay: setting("installation_per_day", dollarLimit(), {
      description:
        "US dollars that all repositories of one installation of the App may cost together in a day (UTC), or `off`.",
      default: "off",
    }),
    installationPerMonth: setting("installation_per_month", dollarLimit(), {
      description: "US dollars that they may cost together in a calendar month (UTC), or `off`.",
      default: "off",
    }),
  },
);

export type Budgets = Values<typeof budgets.keys>;
type BudgetName = keyof Budgets;

interface BudgetWords {
  readonly key: string;
  readonly of: "repository" | "installation";
  readonly period: "day" | "month";
}

const BUDGETS: Readonly<Record<BudgetName, BudgetWords>> = {
  installationPerDay: { key: "installation_per_day", of: "installation", period: "day" },
  repositoryPerMonth: { key: "repository_per_month", of: "repository", period: "month" },
  installationPerMonth: { key: "installation_per_month", of: "installation", period: "month" },
};

/** A budget that is set, with what it allows in micro-dollars. */
export interface BudgetInForce extends BudgetWords {
  readonly name: BudgetName;
  readonly allowed: number;
}

export function budgetsInForce(given: Budgets): readonly BudgetInForce[] {
  const names: readonly BudgetName[] = ["installationPerDay", "repositoryPerMonth", "installationPerMonth"];
  return names.flatMap((name) => {
    const usd = given[name];
    return usd === undefined ? [] : [{ name, ...BUDGETS[name], allowed: microUsd(usd) }];
  });
}

/** Returns the first day of the budget's period at a moment, counted like `dayOf`. */
export function beginsOn({ period }: Pick<BudgetInForce, "period">, at: number): number {
  if (period === "day") return dayOf(at);
  const date = new Date(at);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}

/** Returns why nothing more begins, without a figure that changes, and what ends the wait. */
export function budgetWords({ key, of, period, allowed }: BudgetInForce): { reason: string; change: string } {
  const when = period === "day" ? "today" : "this month";
  return {
    reason: `the ${of}'s budget for ${when} (${dollars(allowed)}) is spent or reserved`,
    change: `it continues ${period === "day" ? "at midnight UTC" : "on the first of next month (UTC)"}; the operator can raise \`circuit_breakers.budgets.${key}\``,
  };
}
