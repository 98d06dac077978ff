import SqliteDatabase from "better-sqlite3";
import { messageOf } from "../../../domain/kernel/errors.ts";

/** The maximum number of faults reported. */
const NAMED = 5;

/**
 * Returns what SQLite finds damaged; empty for a whole database. Only reads, also beside a serving process.
 */
export function damageIn(path: string): readonly string[] {
  const database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    const found = database.prepare(`PRAGMA quick_check(${NAMED})`).pluck().all().map(String);
    return found.filter((line) => line !== "ok");
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw error;
    return [messageOf(error)];
  } finally {
    database.close();
  }
}
