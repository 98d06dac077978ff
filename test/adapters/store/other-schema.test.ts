import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { expect, test } from "vitest";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { APPLICATION_ID, schemaFault } from "../../../src/adapters/store/sqlite/schema-number.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { temporaryDirectory } from "./temporary.ts";

const UNRELEASED = `CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
  INSERT INTO migration VALUES ('0001_machines', 1), ('0020_rejected_waits', 2);
  CREATE TABLE agent (id INTEGER PRIMARY KEY) STRICT`;

function ofThisVersion(database: Database): void {
  database.pragma(`application_id = ${APPLICATION_ID}`);
  for (const { sql } of migrations) database.exec(sql);
  database.pragma(`user_version = ${migrations.length}`);
}

/** Databases that this version does not read, and what the operator reads about each. */
const REFUSED: readonly [string, (database: Database) => void, RegExp][] = [
  [
    "an unreleased version",
    (database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.exec(UNRELEASED);
    },
    /flotilla\.db was written by a version before the first release \(0\.1\.0\), and no release reads it; nothing in it was changed\. Start the version that wrote it, or move the data directory away as a backup/,
  ],
  [
    "a newer version",
    (database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      for (const { sql } of migrations) database.exec(sql);
      database.exec("CREATE TABLE later (a INTEGER) STRICT");
      database.pragma("user_version = 99");
    },
    /flotilla\.db was written by a newer version of Flotilla \(it has schema 99, and this version reads schema 26\); nothing in it was changed\. Start the version that wrote it, or put a backup from before the upgrade/,
  ],
  [
    "a negative schema",
    (database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      for (const { sql } of migrations) database.exec(sql);
      database.pragma("user_version = -5");
    },
    /flotilla\.db is damaged \(it says schema -5\); nothing in it was changed\. Restore a backup/,
  ],
  [
    "a schema without tables",
    (database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma("user_version = 1");
    },
    /flotilla\.db is damaged \(it says schema 1, and has no tables\); nothing in it was changed\. Restore a backup/,
  ],
  ...[
    ["DROP TABLE usage", "the table usage, and \\d+ more"],
    ["ALTER TABLE task DROP COLUMN carried_from", "the column task\\.carried_from"],
    ["DROP INDEX wake_pending", "the index wake_pending"],
    ["DROP TRIGGER agent_added", "the trigger agent_added"],
  ].map(([change = "", says = ""]): (typeof REFUSED)[number] => [
    `this version after ${change}`,
    (database) => {
      ofThisVersion(database);
      database.exec(change);
    },
    new RegExp(
      `flotilla\\.db is damaged \\(it lacks ${says}\\); nothing in it was changed\\. Restore a backup`,
    ),
  ]),
  [
    "an earlier version that lacks a table of its own",
    (database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.exec(migrations[0]?.sql ?? "");
      database.exec("DROP TABLE usage");
      database.pragma("user_version = 1");
    },
    /flotilla\.db is damaged \(it lacks the table usage, and/,
  ],
  [
    "another program",
    (database) => database.exec("CREATE TABLE notes (text TEXT)"),
    /is another program's database\. Move it away, or set FLOTILLA_DATA_DIR\./,
  ],
  [
    "another program that has only numbered its schema",
    (database) => database.pragma("user_version = 5"),
    /is another program's database\. Move it away/,
  ],
  [
    "another program that says so",
    (database) => database.pragma("application_id = 77"),
    /is another program's database\. Move it away/,
  ],
];

/** A database in a directory of its own, with what deliveries may lie beside it. */
function databaseOf(make: (database: Database) => void, { closed }: { closed: boolean }): string {
  const made = join(temporaryDirectory(), "flotilla.db");
  const database = new SqliteDatabase(made);
  database.pragma("journal_mode = WAL");
  // Nothing moves from the log into the file before the connection is closed.
  database.pragma("wal_autocheckpoint = 0");
  make(database);
  const path = join(temporaryDirectory(), "flotilla.db");
  if (closed) database.close();
  copyFileSync(made, path);
  if (!closed) copyFileSync(`${made}-wal`, `${path}-wal`);
  if (!closed) database.close();
  writeFileSync(`${path}-inbox`, "what came last");
  chmodSync(path, 0o640);
  return path;
}

/** Every file beside the database, with its mode and content. */
function everything(path: string): readonly (readonly [string, number, string])[] {
  const dir = join(path, "..");
  return readdirSync(dir)
    .toSorted()
    .map((name) => [name, statSync(join(dir, name)).mode, readFileSync(join(dir, name), "base64")] as const);
}

test.each(REFUSED)("a database of %s is refused, and no file changes", async (_, make, says) => {
  const path = databaseOf(make, { closed: true });
  const before = everything(path);
  const opening = openStore({ path });
  await expect(opening).rejects.toThrow(StartupRefused);
  await expect(opening).rejects.toThrow(says);
  expect(everything(path)).toEqual(before);
});

test.each(REFUSED)(
  "a database of %s whose process was killed is refused by its log",
  async (_, make, says) => {
    const path = databaseOf(make, { closed: false });
    const before = everything(path);
    expect(before).toHaveLength(3);
    await expect(openStore({ path })).rejects.toThrow(says);
    // SQLite keeps no data in `-shm`: it makes it again from the log.
    expect(everything(path).filter(([name]) => name !== "flotilla.db-shm")).toEqual(before);
  },
);

test.each([
  ["an empty file", (path: string) => writeFileSync(path, "", { mode: 0o600 })],
  [
    "a database whose maker was killed before it was marked",
    (path: string) => {
      const database = new SqliteDatabase(path);
      database.pragma("journal_mode = WAL");
      database.close();
    },
  ],
  [
    "a database without a table, whose maker was killed",
    (path: string) => {
      const database = new SqliteDatabase(path);
      database.pragma("journal_mode = WAL");
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.close();
    },
  ],
])("%s becomes a database of this version", async (_, make) => {
  const path = join(temporaryDirectory(), "flotilla.db");
  make(path);
  const store = await openStore({ path });
  expect(await store.checkInvariants(0)).toEqual([]);
  await store.close();
});

test.each([
  ["every migration", ofThisVersion],
  [
    "an earlier schema",
    (database: Database) => {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.exec(migrations[0]?.sql ?? "");
      database.pragma("user_version = 1");
    },
  ],
])("a database of %s, with a table and an index beside, is opened", async (_, make) => {
  const path = databaseOf(
    (database) => {
      make(database);
      database.exec("CREATE TABLE beside (a INTEGER) STRICT; CREATE INDEX beside_a ON beside (a); ANALYZE");
    },
    { closed: true },
  );
  const store = await openStore({ path });
  expect(await store.checkInvariants(0)).toEqual([]);
  await store.close();
});

test("a database that SQLite cannot read has no fault of its schema, and is refused with the error", async () => {
  const path = databaseOf(ofThisVersion, { closed: true });
  const content = readFileSync(path);
  writeFileSync(path, content.fill(0xff, 4096));
  expect(schemaFault(path)).toBeUndefined();
  await expect(openStore({ path })).rejects.toThrow(/flotilla\.db cannot be opened \(.*malformed/);
});

test("an inbox that is not a file is refused", async () => {
  const path = databaseOf(ofThisVersion, { closed: true });
  rmSync(`${path}-inbox`);
  mkdirSync(`${path}-inbox`);
  await expect(openStore({ path })).rejects.toThrow(
    /flotilla\.db has an inbox beside it that is not a file\. Move .*flotilla\.db-inbox away\./,
  );
});

test("a directory in the place of the database is refused", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  mkdirSync(path);
  await expect(openStore({ path })).rejects.toThrow(/flotilla\.db is not a file\. Move it away/);
});
