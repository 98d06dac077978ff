import { expect, it } from "vitest";
import { spentBudgets } from "../../src/dashboard/api/spent-budgets.ts";
import { BudgetList } from "../../src/dashboard/page/budget-list.ts";
import type { Budgets } from "../../src/domain/breakers/budgets.ts";
import { insertAgent, repository } from "../adapters/store/samples.ts";
import { pageText } from "../engine/truth/page-text.ts";
import { someSettings } from "../factories/some-settings.ts";
import { pageParts } from "./page-parts.ts";
import { asOperator, serve } from "./served.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const EARLIER = Date.parse("2026-03-02T12:00:00Z");
const OFF: Budgets = {
  repositoryPerMonth: undefined,
  installationPerDay: undefined,
  installationPerMonth: undefined,
};
const other = { ...repository, id: repository.id + 1, name: "tools" };

/** One repository cost 5 dollars this month, 2 of them today, and another one of the same installation 1 today. */
async function spent(budgets: Partial<Budgets>) {
  const settings = { ...someSettings(), budgets: { ...OFF, ...budgets } };
  const served = await serve({ ...pageParts(), settings });
  const { store } = served;
  const { id } = await insertAgent(store);
  await store.repositories.put(other);
  const { id: otherId } = await insertAgent(store, { repositoryId: other.id, name: "other" });
  const call = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  for (const [agentId, at, costMicroUsd] of [
    [id, EARLIER, 3_000_000],
    [id, NOW, 2_000_000],
    [otherId, NOW, 1_000_000],
  ] as const)
    await store.usage.add({ ...call, agentId, at, costMicroUsd });
  return {
    served,
    list: (mine: readonly number[] | null) => spentBudgets({ store, settings }, mine, NOW),
  };
}

it("says nothing of budgets of which less than four fifths are spent", async () => {
  const { list, served } = await spent({
    repositoryPerMonth: 6.3,
    installationPerDay: 8,
    installationPerMonth: 8,
  });
  expect(await list(null)).toEqual([]);
  expect((await served.get("/api/overview", asOperator)).body).toMatchObject({ budgets: [] });
  expect(BudgetList({ budgets: [] })).toBe(null);
});

it("lists budgets that are nearly spent, and those that are", async () => {
  const { list } = await spent({ repositoryPerMonth: 5, installationPerDay: 3.5, installationPerMonth: 7 });
  const budgets = await list(null);
  expect(budgets).toEqual([
    {
      key: "circuit_breakers.budgets.installation_per_day",
      of: "installation",
      repositories: ["acme/rocket", "acme/tools"],
      period: "day",
      spent_usd: 3,
      allowed_usd: 3.5,
      reached: false,
    },
    expect.objectContaining({
      of: "repository",
      repositories: ["acme/rocket"],
      period: "month",
      reached: true,
    }),
    expect.objectContaining({ of: "installation", period: "month", spent_usd: 6, reached: false }),
  ]);
  expect(
    pageText(BudgetList({ budgets: budgets.slice(0, 2) }))
      .replaceAll(/\s+/g, " ")
      .trim(),
  ).toBe(
    "Budgets nearly spentInstallation with acme/rocket, acme/tools: $3.00 of $3.50 today. The limit is circuit_breakers.budgets.installation_per_dayacme/rocket: $5.00 of $5.00 this month. Its agents wait until the first of next month (UTC), or until you raise circuit_breakers.budgets.repository_per_month",
  );
});

it("shows a person no budget that repositories share which the person may not see", async () => {
  const { list } = await spent({ repositoryPerMonth: 5, installationPerDay: 3 });
  expect(await list([repository.id])).toMatchObject([{ of: "repository" }]);
  expect(await list([repository.id, other.id])).toHaveLength(2);
});
