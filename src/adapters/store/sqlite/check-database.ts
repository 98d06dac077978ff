import SqliteDatabase from "better-sqlite3";
import { messageOf } from "../../../domain/kernel/errors.ts";
import { migrations } from "../migrations/index.ts";

/** More than that need not be named. */
const NAMED = 5;

/**
 * What SQLite finds wrong in a database, and the migrations in it that this binary does not know. Only reads, also beside a
 * serving process. Both empty when all is well.
 */
export function checkDatabase(path: string): {
  readonly damage: readonly string[];
  readonly newer: readonly string[];
} {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const found = database.prepare(`PRAGMA quick_check(${NAMED})`).pluck().all().map(String);
    const applied = database.prepare("SELECT name FROM migration ORDER BY name").pluck().all().map(String);
    return {
      damage: found.filter((line) => line !== "ok"),
      newer: applied.filter((name) => !migrations.some((known) => known.name === name)),
    };
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw error;
    return { damage: [messageOf(error)], newer: [] };
  } finally {
    database.close();
  }
}
