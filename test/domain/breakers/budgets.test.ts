import { expect, it } from "vitest";
import { beginsOn, budgets, budgetsInForce, budgetWords } from "../../../src/domain/breakers/budgets.ts";
import { dayOf } from "../../../src/domain/breakers/day-budget.ts";

const at = (text: string) => Date.parse(text);

it.each([
  ["day", "2028-03-01T00:00:00Z", "2028-03-01"],
  ["day", "2028-02-29T23:59:59.999Z", "2028-02-29"],
  ["month", "2028-03-01T00:00:00Z", "2028-03-01"],
  ["month", "2028-02-29T23:59:59.999Z", "2028-02-01"],
  ["month", "2027-12-31T12:00:00Z", "2027-12-01"],
] as const)("the %s of %s begins on %s", (period, moment, first) => {
  expect(beginsOn({ period }, at(moment))).toBe(dayOf(at(`${first}T00:00:00Z`)));
});

it("all are off by default, and those that are set are in force", () => {
  expect(budgetsInForce(budgets.schema.parse({}))).toEqual([]);
  const set = budgets.schema.parse({
    repository_per_month: 5,
    installation_per_day: 2,
    installation_per_month: 30,
  });
  expect(budgetsInForce(set).map(({ key, allowed }) => [key, allowed])).toEqual([
    ["installation_per_day", 2_000_000],
    ["repository_per_month", 5_000_000],
    ["installation_per_month", 30_000_000],
  ]);
});

it("a refusal says whose budget of which period is spent, and which key the operator can raise", () => {
  const set = budgetsInForce(budgets.schema.parse({ installation_per_month: 30, installation_per_day: 2 }));
  expect(set.map(budgetWords)).toEqual([
    {
      reason: "the installation's budget for today ($2.00) is spent or reserved",
      change:
        "it continues at midnight UTC; the operator can raise `circuit_breakers.budgets.installation_per_day`",
    },
    {
      reason: "the installation's budget for this month ($30.00) is spent or reserved",
      change:
        "it continues on the first of next month (UTC); the operator can raise `circuit_breakers.budgets.installation_per_month`",
    },
  ]);
});
