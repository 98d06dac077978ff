import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { differingTables } from "../../src/adapters/store/copy/copy-tables.ts";
import type { Database } from "../../src/adapters/store/database.ts";
import { arrivalColumn } from "../../src/adapters/store/postgres/dialect.ts";
import { databaseIn } from "../../src/adapters/store/registry.ts";
import { agent, effect, repository } from "../adapters/store/samples.ts";
import { temporaryDirectory } from "../adapters/store/temporary.ts";
import { addIssue } from "../adapters/store/year.ts";
import { asAdmin, databaseAt, describeWithPostgres, nameOf, newDatabase } from "./databases.ts";

const ISSUES = 12;

/** A database in a file, with the work on many issues in it. */
async function worked(): Promise<{ readonly file: Database; readonly path: string }> {
  const dataDir = temporaryDirectory();
  const file = databaseIn({ variables: {}, dataDir });
  const store = await file.open({});
  await store.repositories.put(repository);
  await store.effects.add([effect({ key: "under way" })]);
  await store.close();
  const path = `${dataDir}/flotilla.db`;
  const raw = new SqliteDatabase(path);
  raw.pragma("foreign_keys = ON");
  for (let issue = 1; issue <= ISSUES; issue += 1)
    addIssue(raw, { issue, at: issue * 86_400_000, ends: issue % 3 !== 0 });
  // The last event was given a number that no other one may get.
  raw.exec("DELETE FROM run_event WHERE id = (SELECT max(id) FROM run_event)");
  raw.close();
  return { file, path };
}

const differing = (one: Database, other: Database) =>
  one.snapshot((here) => other.snapshot((there) => differingTables(here, there)));

/** The columns of each table, by name. */
const columnsOf = (database: Database) =>
  database.snapshot(
    async (rows) => new Map([...rows.columns].map(([table, names]) => [table, [...names].toSorted()])),
  );

describeWithPostgres("the schema on PostgreSQL", () => {
  test("has the tables and columns of the file's, and numbers the rows of each table", async () => {
    const server = databaseAt(await newDatabase());
    await (await server.open({})).close();
    const { file } = await worked();
    const [here, there] = [await columnsOf(file), await columnsOf(server)];
    const without = new Map(
      [...there].map(([table, names]) => [table, names.filter((name) => name !== "arrival")]),
    );
    expect(without).toEqual(here);
    expect(
      [...there].filter(([table, names]) => !names.includes(arrivalColumn(table))).map(([table]) => table),
    ).toEqual([]);
  });
});

describeWithPostgres("a database that moves to PostgreSQL", () => {
  test("has the same rows there, and goes on where it was", async () => {
    const { file } = await worked();
    const server = databaseAt(await newDatabase());
    const counts = await file.snapshot((rows) => server.fillFrom(rows));
    expect(counts.get("agent")).toBe(ISSUES);
    expect(await differing(file, server)).toEqual([]);
    const store = await server.open({});
    const next = await store.records.insert("agent", agent({ issue: 999 }));
    expect(next.id).toBe(ISSUES + 1);
    expect(await store.runEvents.latest()).toBe((counts.get("run_event") ?? 0) + 1);
    await store.close();
  });

  test("comes back as a file with the same rows", async () => {
    const { file } = await worked();
    const server = databaseAt(await newDatabase());
    await file.snapshot((rows) => server.fillFrom(rows));
    const directory = temporaryDirectory();
    const back = databaseIn({ variables: {}, dataDir: directory });
    expect(await server.copyTo(back, 0)).toMatchObject({ fromJournal: 0, damage: [] });
    // Of a copy, what is under way is looked for first.
    expect(await differing(file, back)).toEqual(["restored", "effect"]);
  });

  test("fills no database that holds rows, and leaves nothing of a copy that was cut off", async () => {
    const { file } = await worked();
    const url = await newDatabase();
    const server = databaseAt(url);
    const cut = file.snapshot((rows) =>
      server.fillFrom({
        ...rows,
        rows: (table, columns) => {
          if (table === "usage") throw new Error("cut off");
          return rows.rows(table, columns);
        },
      }),
    );
    await expect(cut).rejects.toThrow("cut off");
    const { rows } = await asAdmin(nameOf(url), (admin) => admin.query("SELECT 1 FROM repository"));
    expect(rows).toEqual([]);
    await file.snapshot((given) => server.fillFrom(given));
    await expect(file.snapshot((given) => server.fillFrom(given))).rejects.toMatchObject({
      message: expect.stringMatching(/already holds rows of \w+$/),
      advice: "Name an empty database.",
    });
  });

  test("is told by table where a row differs", async () => {
    const { file } = await worked();
    const url = await newDatabase();
    await file.snapshot((rows) => databaseAt(url).fillFrom(rows));
    await asAdmin(nameOf(url), (admin) => admin.query("UPDATE task SET title = 'other' WHERE id = 2"));
    expect(await differing(file, databaseAt(url))).toEqual(["task"]);
  });
});
