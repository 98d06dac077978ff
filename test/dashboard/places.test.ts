import { expect, it } from "vitest";
import { z } from "zod";
import type { Figures } from "../../src/dashboard/api/figures.ts";
import { seedDay } from "../browser/seed.ts";
import { seedHistory } from "../browser/seed-history.ts";
import { anAgent } from "../factories/records.ts";
import { asOperator, serve } from "./served.ts";

const DAY = 86_400_000;
const NOW = 400 * DAY + 20 * 3_600_000;

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** In millionths of a dollar. */
const sum = ({ cost_usd }: Figures) => Math.round(cost_usd.reduce((all, { value }) => all + value, 0) * 1e6);

/** The day of the browser tests, with one that failed two days ago. */
async function aDay() {
  const served = await serve();
  served.clock.advance(NOW - served.clock.now());
  const { working } = await seedDay(served.store, NOW);
  const { id: _, ...rest } = working;
  await served.store.records.insert("agent", {
    ...rest,
    id: 0,
    version: 0,
    name: "feat-dev-issue-60",
    issue: 60,
    state: "FAILED",
    endedAt: NOW - 2 * DAY,
    costMicroUsd: 700_000,
  });
  return served;
}

it("tells of a repository what came of its work, what it cost, and where the time went", async () => {
  const served = await aDay();
  await seedHistory(served.store, NOW);
  const { status, body } = await served.get("/api/repositories/acme%2Fshop", asOperator);
  expect(status).toBe(200);
  const today = "1971-02-05";
  expect(body).toMatchObject({
    repository: "acme/shop",
    goal: null,
    figures: {
      per: "day",
      total: { merged: 11, finished: 13, touches: 13, cost_usd: 5.25 + 18.44 },
      merged: expect.arrayContaining([
        { key: "1971-02-04", value: 1 },
        { key: "1971-01-24", value: 2 },
        { key: today, value: 0 },
      ]),
      given_up: expect.arrayContaining([
        { key: "1971-02-03", value: 1 },
        { key: "1971-01-12", value: 1 },
        { key: today, value: 0 },
      ]),
      cost_usd: expect.arrayContaining([
        { key: today, value: 5.25 },
        { key: "1971-01-24", value: 2.85 },
        { key: "1971-02-03", value: 0 },
      ]),
      // Two hours of each earlier one, and what the first of today had.
      hours_in_state: expect.arrayContaining([
        { key: "ACTIVE", value: 13 * 2 + 2.18 },
        { key: "SLEEPING", value: 13 * 3 + 0.8 },
      ]),
    },
  });
});

it("lists all agents that have not ended, however old, then the latest that have", async () => {
  const served = await aDay();
  for (const issue of range(101, 130))
    await served.store.records.insert("agent", {
      ...anAgent({ state: "COMPLETED", issue, name: `docs-dev-issue-${issue}` }),
      endedAt: NOW - issue,
      sessionId: null,
    });
  const shownAt = async (path: string) => {
    const { body } = await served.get(path, asOperator);
    const { agents } = z.object({ agents: z.array(z.object({ issue: z.int() })) }).parse(body);
    return agents.map(({ issue }) => issue);
  };
  const ofRepository = await shownAt("/api/repositories/acme%2Fshop");
  expect(new Set(ofRepository.slice(0, 6))).toEqual(new Set([41, 39, 33, 36, 44, 37]));
  expect(ofRepository.slice(6)).toEqual(range(111, 130).toReversed());
  expect(await shownAt("/api/goals/acme%2Fshop/28")).toEqual([33, 41, 30]);
});

it("counts of a time that began before the first day only what lies within", async () => {
  const served = await aDay();
  const [agent] = await served.store.records.find("agent", { issue: 37 });
  const move = { agentId: agent?.id ?? 0, recordId: agent?.id ?? 0, repositoryId: 7, issue: 37 };
  const said = { actor: "flotilla", reason: null, evidence: null, delivery: null, machine: "agent" } as const;
  const at = NOW - 40 * DAY;
  await served.store.transitions.add({ ...move, ...said, at, event: "WAIT", from: "ACTIVE", to: "SLEEPING" });
  const { body } = await served.get("/api/repositories/acme%2Fshop", asOperator);
  expect(body).toMatchObject({
    figures: { hours_in_state: expect.arrayContaining([{ key: "SLEEPING", value: 29 * 24 + 20 + 0.8 }]) },
  });
});

it("sums the same up by weeks, which begin on Mondays", async () => {
  const served = await aDay();
  await seedHistory(served.store, NOW);
  const figures = async (per: string): Promise<Figures> => {
    const { body } = await served.get(`/api/repositories/acme%2Fshop?per=${per}`, asOperator);
    return JSON.parse(JSON.stringify(body)).figures;
  };
  const [days, weeks] = [await figures("day"), await figures("week")];
  expect(weeks.merged.map(({ key }) => key)).toEqual(
    Array.from({ length: 13 }, (_, index) =>
      new Date(Date.parse("1971-02-01") - (12 - index) * 7 * DAY).toISOString().slice(0, 10),
    ),
  );
  expect(weeks.merged.slice(-5).map(({ value }) => value)).toEqual([1, 3, 3, 2, 2]);
  expect([sum(days), sum(weeks)]).toEqual([23_690_000, 23_690_000]);
  expect((await served.get("/api/repositories/acme%2Fshop?per=year", asOperator)).status).toBe(400);
});

it("says to the cent what the ledger says of the repository, and the overview, too", async () => {
  const served = await aDay();
  await seedHistory(served.store, NOW);
  // On the first of the thirty days, and just before it.
  const midnight = NOW - (NOW % DAY) - 29 * DAY;
  const [agent] = await served.store.records.find("agent", { issue: 41 });
  const call = { agentId: agent?.id ?? 0, model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  await served.store.usage.add({ ...call, costMicroUsd: 333_333, at: midnight });
  await served.store.usage.add({ ...call, costMicroUsd: 777_777, at: midnight - 1 });
  const read = async (path: string) => JSON.parse(JSON.stringify((await served.get(path, asOperator)).body));
  const { figures } = await read("/api/repositories/acme%2Fshop");
  const { runs: _, ...total } = figures.total;
  const [line] = (await read("/api/ledger?by=repository")).ledger;
  expect(line).toMatchObject({ ...total, key: "acme/shop", cost_usd: 24.023333 });
  const days = (await read("/api/ledger?repository=acme%2Fshop")).ledger;
  for (const { key, cost_usd: value, merged } of days) {
    expect(figures.cost_usd).toContainEqual({ key, value });
    expect(figures.merged).toContainEqual({ key, value: merged });
  }
  expect((await read("/api/overview")).cost_usd).toEqual({ today: 5.25, thirty_days: 24.023333 });
});

it("tells of a goal what its own issues cost and came to, and nothing of the others", async () => {
  const served = await aDay();
  const { body } = await served.get("/api/goals/acme%2Fshop/28", asOperator);
  expect(body).toMatchObject({
    goal: { issue: 28, state: "IN_PROGRESS" },
    figures: {
      total: { cost_usd: 4.04 },
      cost_by_issue_usd: [
        { key: "#33", value: 1.9 },
        { key: "#41", value: 1.31 },
        { key: "#30", value: 0.83 },
      ],
    },
  });
  expect(JSON.stringify(body)).not.toContain("issue-60");
});

it.each([
  "/api/repositories/acme%2Fother",
  "/api/repositories/x",
  "/api/goals/acme%2Fshop/29",
  "/api/goals/acme%2Fshop/x",
])("%s is not there", async (path) => {
  expect((await (await aDay()).get(path, asOperator)).status).toBe(404);
});
