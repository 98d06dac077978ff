import { expect, it } from "vitest";
import { seedDay } from "../browser/seed.ts";
import { asOperator, serve } from "./served.ts";

const DAY = 86_400_000;
const NOW = 400 * DAY + 20 * 3_600_000;

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
  const { status, body } = await served.get("/api/repositories/acme%2Fshop", asOperator);
  expect(status).toBe(200);
  const today = "1971-02-05";
  expect(body).toMatchObject({
    repository: "acme/shop",
    goal: null,
    figures: {
      completed: expect.arrayContaining([{ key: today, value: 1 }]),
      given_up: expect.arrayContaining([
        { key: "1971-02-03", value: 1 },
        { key: today, value: 0 },
      ]),
      hours_in_state: expect.arrayContaining([
        { key: "ACTIVE", value: 2.18 },
        { key: "SLEEPING", value: 0.8 },
      ]),
    },
    cost_usd: expect.arrayContaining([
      { key: today, value: 1.31 },
      { key: "1971-02-04", value: 0 },
    ]),
  });
});

it("tells of a goal what its own issues cost and came to, and nothing of the others", async () => {
  const served = await aDay();
  const { body } = await served.get("/api/goals/acme%2Fshop/28", asOperator);
  expect(body).toMatchObject({
    goal: { issue: 28, state: "IN_PROGRESS" },
    cost_usd: [
      { key: "#41", value: 1.31 },
      { key: "#33", value: 1.9 },
      { key: "#30", value: 0.83 },
    ],
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
