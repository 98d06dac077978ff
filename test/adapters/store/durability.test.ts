import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { assertDurable, openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { proved } from "../../proved.ts";
import { startChild } from "./child.ts";
import { delivery, repository } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

test("a database has the settings that an acknowledged commit rests on, after its first writes too", () => {
  const database = openDatabase(join(temporaryDirectory(), "flotilla.db"));
  database.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const setting = (name: string) => database.pragma(name, { simple: true });
  expect(["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map(setting)).toEqual([
    "wal",
    2,
    1,
    250,
  ]);
  expect(["trusted_schema", "cell_size_check", "mmap_size"].map(setting)).toEqual([0, 1, 0]);
  database.close();
});

test("temporary tables stay in memory: a decision builds many, and as files they hold it up", () => {
  const database = openDatabase(join(temporaryDirectory(), "flotilla.db"));
  expect(database.pragma("temp_store", { simple: true })).toBe(2);
  database.close();
});

test("a start is refused, and each wrong setting named, when the database does not do what was asked", () => {
  const database = new SqliteDatabase(join(temporaryDirectory(), "flotilla.db"));
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE t (a)");
  database.pragma("foreign_keys = OFF");
  expect(() => assertDurable(database)).toThrow(StartupRefused);
  expect(() => assertDurable(database)).toThrow(/synchronous is 1, not FULL/);
  expect(() => assertDurable(database)).toThrow(/foreign_keys is 0, not ON/);
  database.close();
});

test("a driver that does not set what it is told is noticed at start", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const pragma = vi.spyOn(SqliteDatabase.prototype, "pragma");
  onTestFinished(() => pragma.mockRestore());
  pragma.mockImplementation(function deaf(this: Database, source) {
    const [name = "", value] = source.split(" = ");
    if (value !== undefined && name !== "synchronous") this.exec(`PRAGMA ${source}`);
    return this.prepare(`PRAGMA ${name}`).pluck().get();
  });
  await expect(openStore({ path })).rejects.toThrow(/synchronous is 1, not FULL.*own packages again/);
});

test("nobody but the owner may read the files", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  writeFileSync(path, "", { mode: 0o644 });
  const store = await openStore({ path });
  await store.repositories.put(repository);
  const modes = ["", "-wal", "-shm", "-inbox"].map((suffix) => statSync(path + suffix).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  await store.close();
});

test("a process killed at any moment loses nothing that it acknowledged", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const child = startChild(new URL("./children/insert-for-ever.ts", import.meta.url), path);
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  for await (const guid of child.lines) {
    acknowledged.push(guid);
    if (acknowledged.length === 40) killed = child.kill();
  }
  await killed;
  const store = await openStore({ path });
  const stored = new Set((await store.deliveries.list({}, 1_000_000)).map(({ guid }) => guid));
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  const lost = acknowledged.filter((guid) => !stored.has(guid));
  expect(lost).toEqual([]);
  await store.close();
  proved({
    promise: "A killed process loses no delivery that it acknowledged",
    test: "test/adapters/store/durability.test.ts",
    figure: `${acknowledged.length} acknowledged, ${lost.length} lost`,
  });
});

test("work under way is committed before the store closes", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const inserted = store.deliveries.insert([delivery({ guid: "g" })]);
  await store.close();
  await inserted;
  const again = await openStore({ path });
  expect(await again.deliveries.get("g")).toMatchObject({ state: "pending" });
  await again.close();
});

test("a write fails soon while another program holds the database, and works once it is free", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const other = new SqliteDatabase(path);
  other.exec("BEGIN IMMEDIATE");
  await expect(store.repositories.put(repository)).rejects.toThrow("database is locked");
  other.exec("ROLLBACK");
  await store.repositories.put(repository);
  expect(await store.repositories.get(repository.id)).toEqual(repository);
  other.close();
  await store.close();
});

test("webhooks are taken while another program holds the database, and found once it is free", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const other = new SqliteDatabase(path);
  other.exec("BEGIN IMMEDIATE");
  await store.deliveries.insert([delivery({ guid: "g" })]);
  await expect(store.deliveries.claim({ ...CLAIM, now: 0, limit: 1 })).rejects.toThrow("database is locked");
  other.exec("ROLLBACK");
  expect(await store.deliveries.claim({ ...CLAIM, now: 0, limit: 1 })).toMatchObject([{ guid: "g" }]);
  other.close();
  await store.close();
});

test("a webhook that is taken twice across a crash stands in the inbox once", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  await store.deliveries.insert([delivery({ guid: "g" })]);
  const journal = readFileSync(`${path}-inbox`);
  await store.deliveries.claim({ ...CLAIM, now: 0, limit: 1 });
  await store.deliveries.settle("g", OURS.token, "done", null, 1);
  await store.close();
  writeFileSync(`${path}-inbox`, journal);
  const again = await openStore({ path });
  expect(await again.deliveries.list({}, 10)).toMatchObject([{ guid: "g", state: "done" }]);
  await again.close();
});

test.each([
  ["a directory that is missing", "missing/flotilla.db", "make its directory writable"],
  [
    "a link to a file that is missing",
    "link.db",
    /link\.db cannot be opened .*: it is a link to \/nowhere\/flotilla\.db, which does not exist: put that file back, or remove the link/,
  ],
  ["a file that is no database", "not-a-database", "restore it from a backup"],
  ["another program's database", "foreign.db", "another program's database"],
])("%s is refused with what to do", async (_, name, advice) => {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, "not-a-database"), "x".repeat(5000));
  const foreign = new SqliteDatabase(join(dir, "foreign.db"));
  foreign.pragma("application_id = 77");
  foreign.close();
  symlinkSync("/nowhere/flotilla.db", join(dir, "link.db"));
  const opening = openStore({ path: join(dir, name) });
  await expect(opening).rejects.toThrow(StartupRefused);
  await expect(opening).rejects.toThrow(advice);
});
