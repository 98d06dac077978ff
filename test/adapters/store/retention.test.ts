import type { Database } from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import type { KeptKind } from "../../../src/domain/kernel/rows.ts";
import { inserter } from "./insert-row.ts";
import { ledgerRows } from "./ledger-rows.ts";
import { rowsOf } from "./rows-of-issue.ts";
import { repository } from "./samples.ts";
import { addIssue } from "./year.ts";

const DAY = 86_400_000;

async function aStore(): Promise<{ store: OpenStore; database: Database }> {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.repositories.put(repository);
  return { store, database };
}

/** Sweeps all tables to their ends, as a process does in the course of an hour. */
async function sweepAll(store: OpenStore, before: (kind: KeptKind) => number, limit = 500): Promise<void> {
  for (const walk of store.retention.walks)
    for (let from: number | null = 0; from !== null; )
      ({ to: from } = await store.retention.sweep(walk, { from, before: before(walk.kind), limit }));
}

test("all of an issue goes when its time is over, and nothing of one where anybody lives or that ended later", async () => {
  const { store, database } = await aStore();
  addIssue(database, { issue: 1, at: 0, ends: true });
  // An earlier attempt ended as long ago, but another one sleeps.
  addIssue(database, { issue: 2, at: 0, ends: true });
  addIssue(database, { issue: 2, at: DAY, ends: false });
  addIssue(database, { issue: 3, at: 300 * DAY, ends: true });
  const kept = [2, 3].map((issue) => rowsOf(database, issue));
  expect(Object.entries(rowsOf(database, 1)).filter(([, count]) => count === 0)).toEqual([]);
  await sweepAll(store, () => 200 * DAY);
  const { touch: touches = 0, ...others } = rowsOf(database, 2);
  expect(Object.entries(rowsOf(database, 1)).filter(([, count]) => count > 0)).toEqual([]);
  expect([{ ...others, touch: touches + 8 }, rowsOf(database, 3)]).toEqual(kept);
  expect(database.pragma("foreign_key_check")).toEqual([]);
});

test("details go before the records, and the ledger stays the same to the last token", async () => {
  const { store, database } = await aStore();
  for (let issue = 1; issue <= 3; issue += 1) addIssue(database, { issue, at: issue * DAY, ends: true });
  const ledger = await ledgerRows(store, 0);
  await sweepAll(store, (kind) => (kind === "records" ? 0 : 100 * DAY));
  expect(await ledgerRows(store, 0)).toEqual(ledger);
  expect(rowsOf(database, 3)).toMatchObject({
    agent: 1,
    task: 1,
    run: 1,
    // Sums of a model and a day.
    usage: 1,
    touch: 4,
    verdict: 1,
    transition: 7,
    tool_call: 0,
    run_event: 0,
    effect: 0,
    wake: 0,
    intent: 0,
    evidence: 0,
    screen: 0,
    decision: 0,
  });
});

test("a slice looks at so many rows at most, and a walk ends at the first row that is still kept", async () => {
  const { store, database } = await aStore();
  addIssue(database, { issue: 1, at: 0, ends: true });
  const walk = store.retention.walks.find(({ table }) => table === "tool_call") ?? {
    table: "",
    kind: "details",
  };
  expect(await store.retention.sweep(walk, { from: 0, before: DAY, limit: 50 })).toEqual({
    to: 50,
    deleted: 50,
  });
  const young = await store.retention.sweep(walk, { from: 50, before: 0, limit: 50 });
  expect(young).toEqual({ to: null, deleted: 0 });
});

test("an open effect, an archive on the disk or a live child keeps all of its issue", async () => {
  const { store, database } = await aStore();
  for (const issue of [1, 2, 3]) addIssue(database, { issue, at: 0, ends: true });
  database.exec(
    "UPDATE effect SET state = 'pending' WHERE id = (SELECT min(id) FROM effect WHERE issue = 1)",
  );
  database.exec(
    "UPDATE archive SET removed_at = NULL WHERE agent_id IN (SELECT id FROM agent WHERE issue = 2)",
  );
  addIssue(database, { issue: 4, at: 0, ends: false });
  database.exec("UPDATE agent SET parent_agent_id = (SELECT id FROM agent WHERE issue = 3) WHERE issue = 4");
  await sweepAll(store, () => 200 * DAY);
  expect([1, 2, 3, 4].map((issue) => rowsOf(database, issue)["agent"])).toEqual([1, 1, 1, 1]);
});

test("a decision of a live agent that is repeated to this day keeps no later ones", async () => {
  const { store, database } = await aStore();
  addIssue(database, { issue: 1, at: 0, ends: false });
  addIssue(database, { issue: 2, at: DAY, ends: true });
  database.exec(`UPDATE decision SET last_at = ${300 * DAY} WHERE issue = 1`);
  const kept = rowsOf(database, 1)["decision"];
  await sweepAll(store, (kind) => (kind === "decisions" ? 200 * DAY : 0));
  expect([rowsOf(database, 1)["decision"], rowsOf(database, 2)["decision"]]).toEqual([kept, 0]);
});

test("model calls of ended work become one row for each model and day, and the ledger says what it said", async () => {
  const { store, database } = await aStore();
  addIssue(database, { issue: 1, at: 0, ends: true });
  addIssue(database, { issue: 2, at: 0, ends: false });
  const insert = inserter(database);
  for (let n = 0; n < 90; n += 1)
    insert("usage", {
      agent_id: 1 + (n % 2),
      at: (1 + (n % 3)) * DAY + n,
      model: n % 5 === 0 ? "gpt-4.1" : "claude-sonnet-5",
      input_tokens: 100 + n,
      output_tokens: n,
      cached_tokens: 2 * n,
      cost_micro_usd: 7 * n,
    });
  const said = async () => Promise.all([0, DAY, 2 * DAY, 3 * DAY].map((since) => ledgerRows(store, since)));
  const [before, live] = [await said(), rowsOf(database, 2)["usage"]];
  const days = database.prepare("SELECT * FROM day_cost ORDER BY day").all();
  // In slices that end within a day of a model: what is left over is summed up by the next walk.
  for (let round = 0; round < 2; round += 1)
    await sweepAll(store, (kind) => (kind === "details" ? 200 * DAY : 0), 110);
  expect(await said()).toEqual(before);
  expect(database.prepare("SELECT * FROM day_cost ORDER BY day").all()).toEqual(days);
  // Day 0 with one model, and two models on each of three days.
  expect([rowsOf(database, 1)["usage"], rowsOf(database, 2)["usage"]]).toEqual([7, live]);
});

test("an issue with more rows than a slice goes in several transactions, none of them larger", async () => {
  const { store, database } = await aStore();
  for (let issue = 1; issue <= 8; issue += 1) addIssue(database, { issue, at: 0, ends: true });
  const walk = store.retention.walks.find(({ table }) => table === "agent");
  if (walk === undefined) throw new Error("agents are not swept");
  const changes = database.prepare("SELECT total_changes()").pluck();
  const slices: number[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const before = Number(changes.get());
    ({ to: from } = await store.retention.sweep(walk, { from, before: DAY * 9, limit: 100 }));
    slices.push(Number(changes.get()) - before);
  }
  expect(database.prepare("SELECT count(*) FROM agent").pluck().get()).toBe(0);
  // Triggers count, too: a row of an agent or task moves its tally.
  expect(Math.max(...slices)).toBeLessThanOrEqual(2 * 100);
  expect(slices.length).toBeGreaterThan(20);
});

test("a few small issues go in one transaction, and the walk continues behind them", async () => {
  const { store, database } = await aStore();
  for (let issue = 1; issue <= 5; issue += 1) addIssue(database, { issue, at: 0, ends: true });
  const walk = store.retention.walks.find(({ table }) => table === "agent") ?? {
    table: "",
    kind: "records",
  };
  const first = await store.retention.sweep(walk, { from: 0, before: DAY, limit: 10_000 });
  expect([first.to, database.prepare("SELECT count(*) FROM agent").pluck().get()]).toEqual([3, 2]);
  expect(await store.retention.sweep(walk, { from: 3, before: DAY, limit: 10_000 })).toMatchObject({
    to: null,
  });
  expect(database.prepare("SELECT count(*) FROM agent").pluck().get()).toBe(0);
});

test.each([
  ["an agent lives whose task is over", "UPDATE task SET state = 'MERGED'", 2],
  ["a task is open whose agents have ended", "UPDATE agent SET state = 'FAILED', ended_at = 1", 2],
  ["neither is so", "UPDATE task SET state = 'MERGED'; UPDATE agent SET state = 'FAILED', ended_at = 1", 0],
])("where %s an issue is kept with all attempts, or not", async (_, change, agents) => {
  const { store, database } = await aStore();
  addIssue(database, { issue: 1, at: 0, ends: true });
  addIssue(database, { issue: 1, at: 1, ends: false });
  database.exec(change);
  const before = rowsOf(database, 1)["run_event"];
  await sweepAll(store, () => 200 * DAY);
  const { agent, run_event } = rowsOf(database, 1);
  expect({ agent, run_event }).toEqual({ agent: agents, run_event: agents === 2 ? before : 0 });
});
