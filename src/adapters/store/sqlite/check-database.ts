import SqliteDatabase from "better-sqlite3";
import { messageOf } from "../../../domain/kernel/errors.ts";

/** More than that need not be named. */
const NAMED = 5;

/** What SQLite finds wrong in a database; empty when it is whole. Only reads, also beside a serving process. */
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
