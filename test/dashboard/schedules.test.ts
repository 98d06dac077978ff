import { expect, it } from "vitest";
import type { NewEffect } from "../../src/domain/kernel/rows.ts";
import { OURS } from "../factories/leases.ts";
import { someSettings } from "../factories/some-settings.ts";
import { asOperator, type Served, serve } from "./served.ts";

const NIGHTLY = {
  repository: "Acme/Shop",
  cron: "30 2 * * 1-5",
  timeZone: "Europe/Berlin",
  jitter: undefined,
  role: "feat-dev",
  title: "Update",
  body: "Do it.",
};
const schedules = {
  nightly: NIGHTLY,
  odd: { ...NIGHTLY, cron: "0 6 L * *", timeZone: "UTC" },
  elsewhere: { ...NIGHTLY, repository: "acme/unheard" },
};

const row = (at: number, first?: true): NewEffect => ({
  key: `s${at}`,
  lane: "issue:7#schedule:nightly",
  repositoryId: 7,
  issue: 0,
  agentId: null,
  token: null,
  payload: { kind: "open_scheduled", schedule: "nightly", begun: at, ...(first === true ? { first } : {}) },
  createdAt: at,
});

async function withTimes(results: readonly object[]): Promise<Served> {
  const served = await serve({ settings: someSettings({ schedules }) });
  const { store } = served;
  await store.repositories.put({
    id: 7,
    owner: "acme",
    name: "shop",
    installationId: 1,
    private: true,
    defaultBranch: "main",
  });
  const add = async (effect: NewEffect, outcome: object): Promise<void> => {
    const [id = 0] = await store.effects.add([effect]);
    await store.effects.lease({ ...OURS, now: 5000, leaseMs: () => 1000, limit: 1 });
    await store.effects.settle(id, OURS.token, {
      state: "done",
      result: null,
      error: null,
      at: 1,
      ...outcome,
    });
  };
  await add(row(1000, true), {});
  for (const [index, outcome] of results.entries()) await add(row(2000 + index), outcome);
  return served;
}

async function read(served: Served) {
  const { body } = await served.get("/api/schedules", asOperator);
  return body;
}

it("says in words and as a time when each schedule comes next, in the order of the configuration", async () => {
  const served = await withTimes([]);
  expect(await read(served)).toMatchObject({
    schedules: [
      {
        name: "nightly",
        words: "every Monday to Friday at 02:30",
        next: "1970-01-01T01:30:00.000Z",
        last: null,
        outcome: null,
        issue: null,
        note: null,
        paused: false,
      },
      { name: "odd", words: null, next: "1970-01-31T06:00:00.000Z" },
      { name: "elsewhere", known: false, note: "no webhook of this repository has arrived" },
    ],
  });
});

it.each([
  [{ result: { number: 9 } }, { outcome: "opened", issue: 9, note: "opened #9" }],
  [
    { result: { skipped: "#8 is open", open: 8 } },
    { outcome: "skipped", issue: 8, note: "opened none: #8 is open" },
  ],
  [
    { state: "failed", error: "no permission" },
    { outcome: "failed", issue: null, note: "opened none: no permission" },
  ],
])("tells what came of the last time, and of no earlier one: %j", async (outcome, seen) => {
  const served = await withTimes([{ result: { number: 1 } }, outcome]);
  expect(await read(served)).toMatchObject({
    schedules: [{ ...seen, last: "1970-01-01T00:00:02.001Z" }, {}, {}],
  });
});

it("says that a pause holds it up", async () => {
  const served = await withTimes([]);
  const by = { holder: "person", by: "alice", reason: null, since: 1 } as const;
  await served.store.scopePauses.add({ scope: "repository:7", ...by });
  expect(await read(served)).toMatchObject({
    schedules: [{ paused: true }, { paused: true }, { paused: false }],
  });
});
