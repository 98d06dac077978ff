import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import { damageIn } from "../../../src/adapters/store/sqlite/check-database.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { schemaFault } from "../../../src/adapters/store/sqlite/schema-number.ts";
import { temporaryDirectory } from "./temporary.ts";

async function aDatabase(): Promise<string> {
  const path = join(temporaryDirectory(), "flotilla.db");
  await (await openStore({ path })).close();
  return path;
}

/** Writes a wrong number of unused bytes into the header of a table's first page: what reads its rows notices nothing. */
function spoil(path: string, table: string): void {
  const database = new SqliteDatabase(path);
  const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  const size = Number(database.pragma("page_size", { simple: true }));
  database.close();
  const content = readFileSync(path);
  content[(Number(root) - 1) * size + 7] = 9;
  writeFileSync(path, content);
}

test("a damaged page is found, though its table can be read and no part of the schema lacks", async () => {
  const path = await aDatabase();
  expect(damageIn(path)).toEqual([]);
  spoil(path, "wake");
  expect(schemaFault(path)).toBeUndefined();
  expect(damageIn(path)).toEqual([expect.stringMatching(/page/)]);
});
