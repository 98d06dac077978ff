import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ledgerAnswer } from "../../src/dashboard/api/ledger.ts";
import { ReadTurns } from "../../src/dashboard/api/read-turns.ts";
import { LEDGER_KEYS } from "../../src/domain/reporting/ledger.ts";
import { insertAgent, repository } from "../adapters/store/samples.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { asOperator, serve } from "./served.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-03-10T12:00:00Z");
const ask = (query: string) => new URLSearchParams(query);
const turns = new ReadTurns();
const operator = { viewer: { kind: "operator" }, mayRead: async () => true } as const;

async function aStore() {
  const store = memoryStore();
  onTestFinished(() => store.close());
  return store;
}

const call = { model: "m", inputTokens: 10, outputTokens: 3, cachedTokens: 2, costMicroUsd: 1_234_567 };

test("has the lines of what is asked for, days whole, today the last", async () => {
  const store = await aStore();
  const { id: agentId } = await insertAgent(store);
  const midnight = Date.parse("2026-03-09T00:00:00Z");
  for (const at of [midnight - 1, midnight, NOW]) await store.usage.add({ ...call, agentId, at });
  const { status, body } = await ledgerAnswer({ store, turns }, operator, ask("by=role&days=2"), NOW);
  expect(status).toBe(200);
  expect(body).toEqual({
    ledger: [
      {
        key: "feat-dev",
        runs: 1,
        tokens_in: 20,
        tokens_cached: 4,
        tokens_out: 6,
        cost_usd: 2.469134,
        wall_seconds: 0,
        touches: 0,
        merged: 0,
        finished: 0,
        reverted: 0,
        acceptance: null,
        cost_per_merged_usd: null,
      },
    ],
    next: null,
  });
  const days = await ledgerAnswer({ store, turns }, operator, ask(""), NOW);
  expect(days.body).toMatchObject({
    ledger: [{ key: "2026-03-08" }, { key: "2026-03-09" }, { key: "2026-03-10" }],
  });
});

test.each(["by=agent", "days=0", "days=1.5", "days=367", "days=x"])(
  "%s is refused with what may be asked",
  async (query) => {
    const served = await serve();
    const { status, body } = await served.get(`/api/ledger?${query}`, asOperator);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "invalid_argument", hint: expect.stringContaining("days=1 to 366") });
  },
);

test("tells who may read a repository of this one alone, and of all only the operator", async () => {
  const store = await aStore();
  const { id: agentId } = await insertAgent(store);
  const other = { ...repository, id: repository.id + 1, name: "other" };
  await store.repositories.put(other);
  const { id: otherId } = await insertAgent(store, { repositoryId: other.id });
  await store.usage.add({ ...call, agentId, at: NOW });
  await store.usage.add({ ...call, agentId: otherId, costMicroUsd: 1, at: NOW });
  const reader = {
    viewer: { kind: "person", login: "reader", id: 5 },
    mayRead: async (id: number) => id === repository.id,
  } as const;
  const named = (name: string) => ask(`by=repository&repository=${repository.owner}/${name}`);
  const one = { ledger: [{ key: `${repository.owner}/${repository.name}`, cost_usd: 1.234567 }] };
  const answers = async (who: typeof operator | typeof reader, query: URLSearchParams) =>
    (await ledgerAnswer({ store, turns }, who, query, NOW)).status;
  expect((await ledgerAnswer({ store, turns }, reader, named(repository.name), NOW)).body).toMatchObject(one);
  expect((await ledgerAnswer({ store, turns }, operator, named(repository.name), NOW)).body).toMatchObject(
    one,
  );
  expect(await answers(reader, named("other"))).toBe(404);
  expect(await answers(reader, ask(""))).toBe(404);
  expect(await answers(operator, ask(""))).toBe(200);
  expect(await answers(operator, named("none"))).toBe(404);
  expect(await answers(operator, ask("repository=x"))).toBe(404);
});

test("equals the log of model calls to the millionth of a dollar, whatever it is summed by", async () => {
  const store = await aStore();
  const agents = [
    await insertAgent(store),
    await insertAgent(store, { issue: 43 }),
    await insertAgent(store, { issue: 43, role: "reviewer" }),
  ];
  const calls = fc.record({
    agentId: fc.constantFrom(...agents.map(({ id }) => id)),
    model: fc.constantFrom("small", "large"),
    inputTokens: fc.nat(200_000),
    outputTokens: fc.nat(30_000),
    cachedTokens: fc.nat(100_000),
    costMicroUsd: fc.nat(5_000_000),
    at: fc.integer({ min: NOW - 40 * DAY, max: NOW }),
  });
  let log: { costMicroUsd: number; inputTokens: number; at: number }[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 10 }), async (more) => {
      for (const each of more) await store.usage.add(each);
      log = [...log, ...more];
      const shown = log.filter(({ at }) => at >= Math.floor(NOW / DAY) * DAY - 29 * DAY);
      const micro = shown.reduce((sum, each) => sum + each.costMicroUsd, 0);
      const tokens = shown.reduce((sum, each) => sum + each.inputTokens, 0);
      for (const by of LEDGER_KEYS) {
        const { body } = await ledgerAnswer({ store, turns }, operator, ask(`by=${by}`), NOW);
        const { ledger }: { ledger: { cost_usd: number; tokens_in: number }[] } = JSON.parse(
          JSON.stringify(body),
        );
        expect(ledger.reduce((sum, line) => sum + Math.round(line.cost_usd * 1e6), 0)).toBe(micro);
        expect(ledger.reduce((sum, line) => sum + line.tokens_in, 0)).toBe(tokens);
      }
    }),
    { numRuns: 20 },
  );
});
