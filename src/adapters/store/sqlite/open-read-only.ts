import SqliteDatabase from "better-sqlite3";
import { Kysely } from "kysely";
import type { ReadOnlyStore } from "../database.ts";
import { CamelCaseRows } from "../sql/camel-case-rows.ts";
import type { Schema } from "../sql/schema.ts";
import { checkInvariants } from "../tables/invariants.ts";
import { tablesOn } from "../tables/tables.ts";
import { immediateDialect } from "./immediate-dialect.ts";

/**
 * Opens an existing database without changing anything, the schema included. SQLite itself refuses every
 * write.
 */
export function openStoreReadOnly({ path }: { path: string }): ReadOnlyStore {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 250 });
  const db = new Kysely<Schema>({ dialect: immediateDialect(database), plugins: [new CamelCaseRows()] });
  return { ...tablesOn(db), checkInvariants: (now) => checkInvariants(db, now), close: () => db.destroy() };
}
