import { existsSync } from "node:fs";
import SqliteDatabase, { type Database } from "better-sqlite3";

/** References open connections: without one, a connection is garbage-collected, and its lock is lost. */
const held = new Set<Database>();

/**
 * Locks a file, creating it if missing, by an open exclusive transaction, so the lock ends with the process.
 * Returns a function that releases the lock; undefined if the file is locked.
 */
export function lockFile(path: string): (() => void) | undefined {
  const database = new SqliteDatabase(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
}

/** Returns whether a process holds the lock of the file. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new SqliteDatabase(path, { timeout: 0, fileMustExist: true });
  try {
    database.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
