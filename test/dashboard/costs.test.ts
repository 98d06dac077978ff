import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { z } from "zod";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { insertAgent, repository } from "../adapters/store/samples.ts";
import { someSettings } from "../factories/some-settings.ts";
import { asOperator, pageOf, serve, TOKEN } from "./served.ts";

const DAY = 86_400_000;
const NOW = 400 * DAY + 3_600_000;
const other = { ...repository, id: repository.id + 1, name: "tools" };
const sums = z.array(z.looseObject({ key: z.string(), cost_usd: z.number() }));
const answer = z.looseObject({
  by_day: z.array(z.object({ key: z.string(), value: z.number() })),
  by_repository: sums,
  by_role: sums,
  by_model: sums,
});

/** One repository cost 3 dollars two days ago and 2 today, another one of the same installation 1 today. */
async function spent() {
  const settings = {
    ...someSettings(),
    budgets: { repositoryPerMonth: 8, installationPerDay: 4, installationPerMonth: undefined },
  };
  const served = await serve({
    settings,
    dayBudgets: async (ids) =>
      new Map(ids.map((id) => [id, { allowed: id === other.id ? null : 3_000_000, reserved: 500_000 }])),
    permission: async ({ name }, { login }) => (login === "reader" && name === other.name ? "read" : "none"),
  });
  served.clock.advance(NOW - served.clock.now());
  const { store } = served;
  const { id } = await insertAgent(store);
  await store.repositories.put(other);
  const { id: otherId } = await insertAgent(store, {
    repositoryId: other.id,
    name: "other",
    role: "docs-dev",
  });
  const call = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  for (const [agentId, model, at, costMicroUsd] of [
    [id, "large", NOW - 2 * DAY, 3_000_000],
    [id, "small", NOW, 2_000_000],
    [otherId, "small", NOW, 1_000_000],
  ] as const)
    await store.usage.add({ ...call, model, agentId, at, costMicroUsd });
  return served;
}

const shown = (lines: z.infer<typeof sums>) => lines.map(({ key, cost_usd: cost }) => `${key} ${cost}`);

it("sums up cost by day, repository, role and model, against what the budgets allow", async () => {
  const served = await spent();
  const { status, body } = await served.get("/api/costs?days=3", asOperator);
  expect(status).toBe(200);
  const { by_day: days, by_repository: repositories, by_role: roles, by_model: models } = answer.parse(body);
  expect(days).toEqual([
    { key: "1971-02-03", value: 3 },
    { key: "1971-02-04", value: 0 },
    { key: "1971-02-05", value: 3 },
  ]);
  expect([shown(repositories), shown(roles), shown(models)]).toEqual([
    ["acme/rocket 5", "acme/tools 1"],
    ["feat-dev 5", "docs-dev 1"],
    ["large 3", "small 3"],
  ]);
  expect(body).toMatchObject({
    today_usd: 3,
    total: { cost_usd: 6, runs: 2 },
    budgets: [
      {
        key: "circuit_breakers.budgets.installation_per_day",
        repositories: ["acme/rocket", "acme/tools"],
        spent_usd: 3,
        reserved_usd: 1,
        allowed_usd: 4,
        reached: true,
      },
      { period: "month", repositories: ["acme/rocket"], spent_usd: 5, reserved_usd: 0.5, reached: false },
      { period: "month", repositories: ["acme/tools"], spent_usd: 1 },
    ],
    // The other repository has no limit of its day.
    repository_days: [{ repositories: ["acme/rocket"], spent_usd: 2, reserved_usd: 0.5, allowed_usd: 3 }],
  });
});

it("tells a person only of the repositories that they may read", async () => {
  const served = await spent();
  const cookies = new SignInCookies(TOKEN, () => served.clock.now(), served.store.signOuts);
  const as = async (login: string) => {
    const cookie = cookies.open({ kind: "person", login, id: 5 }, new IncomingMessage(new Socket()));
    return (await served.get("/api/costs", await pageOf(served, cookie))).body;
  };
  const mine = await as("reader");
  expect(mine).toMatchObject({
    today_usd: 1,
    total: { cost_usd: 1 },
    by_repository: [{ key: "acme/tools", cost_usd: 1 }],
    by_model: [{ key: "small", cost_usd: 1 }],
    budgets: [{ period: "month", repositories: ["acme/tools"] }],
    repository_days: [],
  });
  expect(JSON.stringify(mine)).not.toContain("rocket");
  expect(await as("stranger")).toMatchObject({ total: { cost_usd: 0 }, by_repository: [], budgets: [] });
});
