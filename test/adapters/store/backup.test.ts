import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { copyStore } from "../../../src/adapters/store/sqlite/backup.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { CLAIM } from "../../factories/leases.ts";
import { proved } from "../../proved.ts";
import { startChild } from "./child.ts";
import { delivery, effect, repository } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const COPIES = 8;

async function guidsIn(path: string): Promise<ReadonlySet<string>> {
  const store = await openStore({ path });
  const guids = new Set((await store.deliveries.list({}, 1_000_000)).map(({ guid }) => guid));
  expect(await store.checkInvariants(Date.now())).toEqual([]);
  await store.close();
  return guids;
}

/** Whether an effect added to this database is taken for one that may have been done. */
async function uncertain(path: string, key: string, createdAt: number): Promise<boolean | undefined> {
  const store = await openStore({ path });
  const [id] = await store.effects.add([effect({ key, createdAt })]);
  const row = await store.effects.get(id ?? 0);
  await store.close();
  return row?.uncertain;
}

test("every copy made while another process writes is whole and has all that was acknowledged before it", async () => {
  const dir = temporaryDirectory();
  const from = join(dir, "flotilla.db");
  const child = startChild(new URL("./children/insert-and-look.ts", import.meta.url), from);
  const acknowledged: string[] = [];
  const copies: { readonly path: string; readonly before: number; readonly fromJournal: number }[] = [];
  for await (const guid of child.lines) {
    acknowledged.push(guid);
    if (acknowledged.length % 25 !== 0) continue;
    const path = join(dir, `copy-${copies.length}.db`);
    const before = acknowledged.length;
    const { fromJournal, damage, violations } = await copyStore({ from, to: path, now: Date.now() });
    expect({ damage, violations }).toEqual({ damage: [], violations: [] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    copies.push({ path, before, fromJournal });
    if (copies.length === COPIES) break;
  }
  await child.kill();
  let missing = 0;
  for (const { path, before } of copies) {
    const found = await guidsIn(path);
    missing += acknowledged.slice(0, before).filter((guid) => !found.has(guid)).length;
  }
  expect(missing).toBe(0);
  expect(Math.max(...copies.map(({ fromJournal }) => fromJournal))).toBeGreaterThan(0);
  proved({
    promise: "A backup made under load is whole and holds all that was acknowledged before it",
    test: "test/adapters/store/backup.test.ts",
    figure: `${copies.length} backups, ${copies.reduce((sum, { before }) => sum + before, 0)} deliveries looked for, ${missing} missing`,
  });
});

test("what stands only in the inbox's journal is in the copy, once", async () => {
  const dir = temporaryDirectory();
  const from = join(dir, "flotilla.db");
  const store = await openStore({ path: from });
  await store.deliveries.insert([delivery({ guid: "moved" })]);
  const journal = readFileSync(`${from}-inbox`);
  await store.deliveries.claim({ ...CLAIM, now: 0, limit: 1 });
  await store.deliveries.insert([delivery({ guid: "fresh" })]);
  // As a crash between the table and the cut leaves it.
  writeFileSync(`${from}-inbox`, Buffer.concat([journal, readFileSync(`${from}-inbox`)]));
  const to = join(dir, "copy.db");
  expect(await copyStore({ from, to, now: 5 })).toMatchObject({ fromJournal: 2 });
  expect(await guidsIn(to)).toEqual(new Set(["moved", "fresh"]));
  await store.close();
});

test("what a copy had still to do, and what follows in the three days after it is opened, looks for itself first", async () => {
  const dir = temporaryDirectory();
  const from = join(dir, "flotilla.db");
  const to = join(dir, "copy.db");
  const now = Date.now();
  const store = await openStore({ path: from });
  await store.repositories.put(repository);
  await store.effects.add([effect({ key: "pending", createdAt: now })]);
  await copyStore({ from, to, now });
  await store.close();
  expect(await uncertain(from, "pending", now)).toBe(false);
  expect(await uncertain(from, "new", now)).toBe(false);
  expect(await uncertain(to, "pending", now)).toBe(true);
  expect(await uncertain(to, "new", now)).toBe(true);
  expect(await uncertain(to, "late", now + 3 * 24 * 3_600_000 + 60_000)).toBe(false);
});

test("a file that exists is never written over, and damage is told", async () => {
  const dir = temporaryDirectory();
  const from = join(dir, "flotilla.db");
  const store = await openStore({ path: from });
  await store.repositories.put(repository);
  await store.close();
  await expect(copyStore({ from, to: from, now: 0 })).rejects.toThrow("EEXIST");
  const spoilt = new SqliteDatabase(from);
  spoilt.pragma("foreign_keys = OFF");
  spoilt.pragma("ignore_check_constraints = ON");
  spoilt.exec("UPDATE repository SET private = 7");
  spoilt.exec("UPDATE repository SET id = id + 1");
  spoilt.exec(
    "INSERT INTO transition (id, at, machine, record_id, agent_id, repository_id, issue, actor, event, from_state, to_state, evidence) VALUES (1, 0, 'agent', 1, 99, 1, 1, 'a', 'b', 'c', 'd', '[]')",
  );
  spoilt.close();
  const { damage } = await copyStore({ from, to: join(dir, "copy.db"), now: 0 });
  expect(damage).toEqual([
    expect.stringContaining("CHECK constraint failed in repository"),
    expect.stringContaining("transition"),
  ]);
});
