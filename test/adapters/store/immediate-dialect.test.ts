import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { Kysely } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { immediateDialect } from "../../../src/adapters/store/sqlite/immediate-dialect.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Asked for the time, it answers that none has passed, unless told otherwise. */
function open(path: string, elapsed = () => 0): { database: Database; db: Kysely<{ t: { a: string } }> } {
  const database = openDatabase(path);
  database.exec("CREATE TABLE t (a TEXT NOT NULL) STRICT");
  return { database, db: new Kysely({ dialect: immediateDialect(database, (text) => text, elapsed) }) };
}

test("a transaction holds the write lock from its beginning, before it has written", async () => {
  const path = join(temporaryDirectory(), "t.db");
  const { db } = open(path);
  const other = new SqliteDatabase(path, { timeout: 0 });
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom("t").selectAll().execute();
    expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
  });
  other.exec("BEGIN IMMEDIATE");
  other.close();
  await db.destroy();
});

test("a full disk is told as such, leaves nothing behind, and writing continues once there is space", async () => {
  const { database, db } = open(join(temporaryDirectory(), "t.db"));
  database.pragma("max_page_count = 12");
  const write = db.transaction().execute(async (trx) => {
    await trx.insertInto("t").values({ a: "small" }).execute();
    await trx
      .insertInto("t")
      .values({ a: "x".repeat(100_000) })
      .execute();
  });
  await expect(write).rejects.toThrow("database or disk is full");
  expect(await db.selectFrom("t").selectAll().execute()).toEqual([]);
  database.pragma("max_page_count = 1000");
  await db
    .insertInto("t")
    .values({ a: "x".repeat(100_000) })
    .execute();
  expect(await db.selectFrom("t").selectAll().execute()).toHaveLength(1);
  await db.destroy();
});

/** Turns of the event loop until all are done. */
async function turns(all: readonly Promise<unknown>[]): Promise<number> {
  const state = { isDone: false };
  const done = Promise.all(all).finally(() => {
    state.isDone = true;
  });
  let count = 0;
  for (; !state.isDone; count += 1) await turn();
  await done;
  return count;
}

test.each([
  [
    "each on its own",
    (db: Kysely<{ t: { a: string } }>) => db.insertInto("t").values({ a: "one" }).execute(),
  ],
  [
    "in transactions",
    (db: Kysely<{ t: { a: string } }>) =>
      db.transaction().execute((trx) => trx.insertInto("t").values({ a: "one" }).execute()),
  ],
])("the event loop continues after each of many writes, %s, and not after a quick read", async (_, write) => {
  const { db } = open(join(temporaryDirectory(), "t.db"));
  await write(db);
  expect(await turns(Array.from({ length: 20 }, () => write(db)))).toBeGreaterThanOrEqual(20);
  const read = () => db.selectFrom("t").selectAll().execute();
  expect(await turns(Array.from({ length: 20 }, read))).toBeLessThan(3);
  await db.destroy();
});

test("the event loop continues when reads have held it for a few milliseconds", async () => {
  let milliseconds = 0;
  const { db } = open(join(temporaryDirectory(), "t.db"), () => milliseconds);
  const read = async () => {
    const rows = await db.selectFrom("t").selectAll().execute();
    milliseconds += 1;
    return rows;
  };
  expect(await turns(Array.from({ length: 40 }, read))).toBeGreaterThanOrEqual(6);
  await db.destroy();
});
