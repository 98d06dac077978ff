import { Kysely } from "kysely";
import { expect, test } from "vitest";
import { CamelCaseRows } from "../../../src/adapters/store/sql/camel-case-rows.ts";
import { keptRows } from "../../../src/adapters/store/sql/kept-queries.ts";
import type { Schema } from "../../../src/adapters/store/sql/schema.ts";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { immediateDialect } from "../../../src/adapters/store/sqlite/immediate-dialect.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";

function aDatabase(): Kysely<Schema> {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  for (const id of [1, 2])
    database
      .prepare(
        "INSERT INTO repository (id, owner, name, installation_id, private, default_branch, seen) VALUES (?, ?, ?, 5, 0, 'main', ?)",
      )
      .run(id, "acme", `app-${id}`, id);
  return new Kysely<Schema>({ dialect: immediateDialect(database), plugins: [new CamelCaseRows()] });
}

const named = (db: Kysely<Schema>, id: number) => () =>
  db.selectFrom("repository").select("name").where("id", "=", id).compile();

test("a query is built once and answers for the values of each time", async () => {
  const db = aDatabase();
  let built = 0;
  const names = [];
  for (const id of [1, 2, 3]) {
    const build = () => {
      built += 1;
      return named(db, id)();
    };
    names.push(await keptRows(db, "name of a repository", [id], build));
  }
  expect(names).toEqual([[{ name: "app-1" }], [{ name: "app-2" }], []]);
  expect(built).toBe(1);
});

test("values that are not those of the query are refused when it is built", async () => {
  const db = aDatabase();
  await expect(keptRows(db, "a repository by another's values", [2], named(db, 1))).rejects.toThrow(
    "the values of a repository by another's values are not those of its query",
  );
});
