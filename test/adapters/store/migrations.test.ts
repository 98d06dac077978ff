import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { migrations } from "../../../src/adapters/store/migrations/index.ts";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { UNKNOWN_ACCOUNT } from "../../../src/domain/review/reviewer.ts";
import { inserter } from "./insert-row.ts";
import { repository } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const TABLES =
  `agent agent_mark approval archive blockers check_attempt day_cost day_grant decision delivery effect evidence goal ground handoff incident intent issue_text linked_blocker lone_opening migration progress provider_park question reported_blocker repository repository_file restored
 review_lease run run_event scope_pause seen_check seen_pull session sign_out sprint sweep tally task tool_call touch transition usage verdict wake`.split(
    /\s+/,
  );

test("all migrations on an empty database make the schema that is written down", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const objects = database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name")
    .pluck()
    .all();
  await expect(`${objects.join(";\n\n")};\n`).toMatchFileSnapshot("../../fixtures/schema.sql");
});

test("every table that others read is there, and strict", () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const tables = database.prepare(
    "SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  expect(tables.raw().all()).toEqual(TABLES.map((name) => [name, 1]));
});

test("a migration runs once, and what was stored before stays", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const first = await openStore({ path });
  await first.repositories.put(repository);
  await first.close();
  const second = await openStore({ path });
  expect(await second.repositories.get(repository.id)).toEqual(repository);
  await second.close();
});

test("a migration that fails leaves neither its tables nor the record of it", () => {
  const database = openDatabase(":memory:");
  const broken = {
    name: "0001_broken",
    sql: "CREATE TABLE a (b INTEGER) STRICT; CREATE TABLE a (b INTEGER) STRICT;",
  };
  expect(() => migrate(database, [broken])).toThrow("already exists");
  expect(database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'a'").pluck().get()).toBe(0);
  migrate(database, [{ ...broken, sql: "CREATE TABLE a (b INTEGER) STRICT;" }]);
  expect(database.prepare("SELECT name FROM migration").pluck().all()).toEqual(["0001_broken"]);
});

test("a database that a newer version wrote is not opened", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  await (await openStore({ path })).close();
  const raw = new SqliteDatabase(path);
  raw.exec("INSERT INTO migration VALUES ('9999_future', 1)");
  raw.close();
  const opening = openStore({ path });
  await expect(opening).rejects.toThrow(StartupRefused);
  await expect(opening).rejects.toThrow(/newer flotilla \(9999_future\): run that version/);
});

test("verdicts from before accounts were kept are read, and are those of the login", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const before = openDatabase(path);
  migrate(
    before,
    migrations.filter(({ name }) => name < "0019"),
  );
  const insert = inserter(before);
  const repositoryId = insert("repository", { owner: "acme", name: "shop" });
  const approved = [{ reviewer: "alice", commit: "c1", at: 1 }];
  const here = { repository_id: repositoryId, issue: 42 };
  const taskId = insert("task", { ...here, state: "READY_FOR_REVIEW", verdicts: JSON.stringify(approved) });
  for (const reviewer of ["alice", "bob"])
    insert("verdict", { task_id: taskId, reviewer, state: "current", commit_sha: "c1" });
  before.close();

  const store = await openStore({ path });
  const { records, verdicts } = store;
  expect((await records.get("task", taskId))?.verdicts).toEqual([
    { ...approved[0], account: UNKNOWN_ACCOUNT },
  ]);
  const commit = "c1";
  expect(await verdicts.lift(taskId, { reviewer: { reviewer: "eve", account: 5 }, commit })).toEqual([]);
  expect(await verdicts.lift(taskId, { reviewer: { reviewer: "bob", account: 6 }, commit })).toMatchObject([
    { reviewer: "bob", account: UNKNOWN_ACCOUNT, state: "dropped" },
  ]);
  expect(
    await verdicts.drop(taskId, { keep: commit, reviewer: { reviewer: "alice", account: 5 } }),
  ).toHaveLength(1);
  await store.close();
});
