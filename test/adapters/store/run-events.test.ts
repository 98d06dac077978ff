import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import type { RunEvent } from "../../../src/domain/kernel/run-event.ts";
import { stepped } from "../../factories/run-events.ts";
import { insertAgent, run } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const said = (text: string): RunEvent => ({ type: "stream:token", data: { text } });
const step = stepped;
const all = { limit: 1000, agentId: null };

async function twoAgents(path = ":memory:") {
  const store = await openStore({ path });
  const one = await insertAgent(store);
  const other = await insertAgent(store, { name: "feat-dev-issue-2", issue: 2 });
  const add = (agentId: number | null, event: RunEvent, at = 10) =>
    store.runEvents.add({ at, agentId, repositoryId: 7, issue: 42, event });
  return { store, one: one.id, other: other.id, add };
}

test("an event is kept with the agent's latest run and its turns", async () => {
  const { store, one, add } = await twoAgents();
  await store.records.insert("run", run({ agentId: one }));
  const latest = await store.records.insert("run", run({ agentId: one }));
  await store.records.count(one, "turns", 3);
  await add(one, step(1));
  await add(null, said("nobody's"));
  expect(await store.runEvents.after(0, all)).toEqual([
    { id: 1, at: 10, agentId: one, runId: latest.id, repositoryId: 7, issue: 42, turn: 3, event: step(1) },
    {
      id: 2,
      at: 10,
      agentId: null,
      runId: null,
      repositoryId: 7,
      issue: 42,
      turn: null,
      event: said("nobody's"),
    },
  ]);
  await store.close();
});

test("what comes after a row is the rest, in order, as much as is wanted, of one agent when asked", async () => {
  const { store, one, other, add } = await twoAgents();
  for (let number = 1; number <= 6; number += 1) await add(number % 2 === 0 ? one : other, step(number));
  const ids = async (...args: Parameters<typeof store.runEvents.after>) =>
    (await store.runEvents.after(...args)).map(({ id }) => id);
  expect(await ids(2, all)).toEqual([3, 4, 5, 6]);
  expect(await ids(2, { ...all, limit: 2 })).toEqual([3, 4]);
  expect(await ids(2, { ...all, agentId: one })).toEqual([4, 6]);
  expect(await ids(6, all)).toEqual([]);
  await store.close();
});

test("of what was said the old and the many go, each agent for itself; other events stay", async () => {
  const { store, one, other, add } = await twoAgents();
  await add(one, step(1), 1);
  await add(one, said("old"), 1);
  for (const text of ["a", "b", "c"]) await add(one, said(text), 20);
  await add(other, said("alone"), 20);
  expect(await store.runEvents.pruneTokens({ before: 20, keep: 2, limit: 1 })).toBe(1);
  expect(await store.runEvents.pruneTokens({ before: 20, keep: 2, limit: 500 })).toBe(1);
  expect((await store.runEvents.after(0, all)).map(({ event }) => event)).toEqual([
    step(1),
    said("b"),
    said("c"),
    said("alone"),
  ]);
  expect(await store.runEvents.pruneTokens({ before: 20, keep: 2, limit: 500 })).toBe(0);
  await store.close();
});

test("an id is never given twice, also when the last rows were deleted before a restart", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const { store, one, add } = await twoAgents(path);
  expect(await store.runEvents.latest()).toBe(0);
  await add(one, step(1));
  await add(one, said("gone"), 1);
  await store.runEvents.pruneTokens({ before: 10, keep: 10, limit: 500 });
  await store.close();
  const again = await openStore({ path });
  expect(await again.runEvents.latest()).toBe(2);
  await again.runEvents.add({ at: 30, agentId: one, repositoryId: 7, issue: 42, event: step(2) });
  expect((await again.runEvents.after(0, all)).map(({ id }) => id)).toEqual([1, 3]);
  await again.close();
});

test("a row of another shape is an error that names it", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const { store, one, add } = await twoAgents(path);
  await add(one, step(1));
  await store.close();
  const raw = new SqliteDatabase(path);
  raw.exec(`UPDATE run_event SET data = '{"step":"one"}'`);
  raw.close();
  const again = await openStore({ path });
  await expect(again.runEvents.after(0, all)).rejects.toThrow("run_event 1 cannot be read");
  await again.close();
});
