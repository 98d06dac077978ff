import { expect, test } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import { inserter } from "./insert-row.ts";
import { repository } from "./samples.ts";
import { addIssue } from "./year.ts";

type Row = Readonly<Record<string, unknown>>;

/** A database of the first schema with rows in each table that a later migration changes. */
function ofFirstSchema() {
  const database = openDatabase(":memory:");
  migrate(database, migrations.slice(0, 1));
  const insert = inserter(database);
  insert("repository", {
    owner: "acme",
    name: "shop",
    installation_id: 1,
    private: 1,
    default_branch: "main",
  });
  database.prepare("UPDATE repository SET id = ?").run(repository.id);
  for (const issue of [1, 2]) addIssue(database, { issue, at: issue * 1000, ends: issue === 1 });
  const agent = Number(database.prepare("SELECT max(id) FROM agent").pluck().get());
  for (const [turn, status] of ["running", "failure", "denied", "interrupted"].entries())
    insert("tool_call", {
      agent_id: agent,
      tool_call_id: status,
      tool: "bash",
      input: "{}",
      turn,
      status,
      output: status === "running" ? null : "It failed.",
      started_at: 10,
      ended_at: status === "running" ? null : 30,
      duration_ms: status === "running" ? null : 20,
    });
  for (const holder of ["person", "incident", "suspended", "archived"])
    insert("scope_pause", { scope: "repository:7", holder, by: "ada", reason: holder, since: 10 });
  insert("scope_pause", { scope: "all", holder: "person", by: "bob", since: 20 });
  // Ids are kept, too, where rows are missing between them.
  database.exec("DELETE FROM scope_pause WHERE holder = 'incident'; DELETE FROM tool_call WHERE id = 3");
  return database;
}

function everyRow(database: ReturnType<typeof openDatabase>): Readonly<Record<string, readonly Row[]>> {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  return Object.fromEntries(
    names.map((name) => [String(name), database.prepare<[], Row>(`SELECT * FROM "${String(name)}"`).all()]),
  );
}

test.each(migrations.slice(1).map(({ name }, at) => [name, at + 2] as const))(
  "the migration %s keeps every row with its values",
  (_, schema) => {
    const database = ofFirstSchema();
    migrate(database, migrations.slice(0, schema - 1));
    // A table of a later schema, which other migrations change.
    if ("node" in everyRow(database))
      for (const name of ["build-7", "build-8"])
        inserter(database)("node", { name, epoch: 1, version: "0.1.0", seen_at: 10 });
    const before = everyRow(database);
    const changed = [...(migrations[schema - 1]?.sql ?? "").matchAll(/(?:ALTER|DROP) TABLE (\w+)/g)]
      .map(([, table = ""]) => table)
      .filter((table) => !table.endsWith("_of_now"));
    expect(changed.filter((table) => (before[table] ?? []).length < 2)).toEqual([]);
    migrate(database, migrations.slice(0, schema));
    const after = everyRow(database);
    for (const [table, rows] of Object.entries(before))
      expect([table, after[table]]).toMatchObject([table, rows]);
    expect(database.pragma("foreign_key_check")).toEqual([]);
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  },
);

test("the rows of the first schema are read by this version: nothing was chosen, asked or carried then", async () => {
  const database = ofFirstSchema();
  database.exec("UPDATE agent SET mode = 'continuous', tags = '[]'");
  migrate(database, migrations);
  const store = storeOn(database);
  const agents = await store.records.find("agent", {});
  expect(agents.map(({ model, allowedTools, temperature }) => [model, allowedTools, temperature])).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
  const calls = await store.toolCalls.ofAgent(agents[1]?.id ?? 0);
  expect(calls.slice(-4)).toMatchObject([
    { status: "running", asked: null, output: null, endedAt: null },
    { status: "failure", asked: null, output: "It failed.", endedAt: 30, durationMs: 20 },
    { status: "denied", asked: null },
    { status: "interrupted", asked: null },
  ]);
  const tasks = await store.records.find("task", {});
  expect(tasks.map(({ carriedFrom, rejectionSource }) => [carriedFrom, rejectionSource])).toEqual([
    [[], null],
    [[], null],
  ]);
  expect((await store.scopePauses.list()).map(({ scope, holder }) => [scope, holder])).toEqual([
    ["repository:7", "person"],
    ["repository:7", "suspended"],
    ["repository:7", "archived"],
    ["all", "person"],
  ]);
  await store.close();
});

const place = (effect: number, wake: number) => JSON.stringify({ transition: 0, decision: 0, effect, wake });

test("effects and wakes of the first schema belong to the delivery whose transaction wrote them", () => {
  const database = ofFirstSchema();
  const ids = (table: string) =>
    database.prepare<[], number>(`SELECT id FROM ${table} ORDER BY id`).pluck().all();
  const [effects, wakes] = [ids("effect"), ids("wake")];
  const insert = inserter(database);
  const input = { repository_id: 7, issue: 1, at: 1, answers: "{}" };
  const [first = 0, second = 0] = effects;
  insert("replay_input", { ...input, guid: "a", began: place(0, 0), ended: place(first, wakes[0] ?? 0) });
  insert("replay_input", { ...input, guid: "b", began: place(first, 0), ended: place(second, 0) });
  insert("replay_input", { ...input, guid: "c", began: null, ended: null });
  migrate(database, migrations);
  const of = (table: string) => database.prepare(`SELECT delivery FROM ${table} ORDER BY id`).pluck().all();
  expect(of("effect")).toEqual(effects.map((_, index) => ["a", "b"][index] ?? null));
  expect(of("wake")).toEqual(wakes.map((_, index) => (index === 0 ? "a" : null)));
});
