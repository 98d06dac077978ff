import { Kysely } from "kysely";
import { expect, test } from "vitest";
import { CamelCaseRows } from "../../../src/adapters/store/sql/camel-case-rows.ts";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { immediateDialect } from "../../../src/adapters/store/sqlite/immediate-dialect.ts";

interface Things {
  oldThing: { seenAt: number; lastName: string | null };
}

function kysely(): Kysely<Things> {
  const database = openDatabase(":memory:");
  database.exec("CREATE TABLE old_thing (seen_at INTEGER NOT NULL, last_name TEXT) STRICT");
  return new Kysely({ dialect: immediateDialect(database), plugins: [new CamelCaseRows()] });
}

test("names are in snake case, and no plan hangs on a value that is bound", () => {
  const { sql, parameters } = kysely()
    .selectFrom("oldThing")
    .select("seenAt as atLast")
    .where("oldThing.lastName", "=", "Bo")
    .compile();
  expect(sql).toBe(`select "seen_at" as "at_last" from "old_thing" where "old_thing"."last_name" = +?`);
  expect(parameters).toEqual(["Bo"]);
});

test("values come back as they went in, under names in camel case, and are found by what they are", async () => {
  const db = kysely();
  const things = [
    { seenAt: 12, lastName: "12" },
    { seenAt: -3, lastName: "+1" },
    { seenAt: 0, lastName: null },
  ];
  await db.insertInto("oldThing").values(things).execute();
  expect(await db.selectFrom("oldThing").selectAll().execute()).toEqual(things);
  for (const thing of things.slice(0, 2)) {
    const named = db.selectFrom("oldThing").selectAll().where("lastName", "=", thing.lastName);
    expect(await named.execute()).toEqual([thing]);
  }
});
