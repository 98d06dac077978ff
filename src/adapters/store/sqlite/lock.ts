import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { z } from "zod";
import { messageOf, StartupRefused } from "../../../domain/kernel/errors.ts";
import type { DatabaseLock } from "../database.ts";

const holderFile = z.object({ pid: z.int(), startedAt: z.string() });

/** References open connections: without one, a connection is garbage-collected, and its lock is lost. */
const held = new Set<Database>();

/**
 * Claims the data directory for this process, creating it (mode 0700) if missing. The lock is an open
 * exclusive transaction on `lock.db`, so it ends with the process; `lock.json` only names the holder to
 * people. Throws `StartupRefused` when another process holds it or the directory is not writable.
 */
export function lockDataDirectory(dir: string): DatabaseLock {
  const file = join(dir, "lock.json");
  let database: Database | undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    database = new SqliteDatabase(join(dir, "lock.db"), { timeout: 0 });
    database.exec("BEGIN EXCLUSIVE");
    const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt }), { mode: 0o600 });
  } catch (error) {
    database?.close();
    const busy = error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY");
    throw new StartupRefused([
      busy
        ? `another flotilla process${holder(file)} uses ${dir}: stop it or set FLOTILLA_DATA_DIR`
        : `${dir} cannot be used as the data directory (${messageOf(error)}): make it writable for the user that runs flotilla, or set FLOTILLA_DATA_DIR`,
    ]);
  }
  const connection = database;
  held.add(connection);
  return {
    release: () => {
      if (!held.delete(connection)) return;
      rmSync(file, { force: true });
      connection.close();
    },
  };
}

/**
 * Returns the holder of the data directory, as ` (pid N, started T)` or an empty text; undefined when there
 * is none.
 */
export function holderOf(dir: string): string | undefined {
  const path = join(dir, "lock.db");
  if (!existsSync(path)) return undefined;
  const database = new SqliteDatabase(path, { timeout: 0, fileMustExist: true });
  try {
    database.exec("BEGIN EXCLUSIVE; ROLLBACK");
    return undefined;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY"))
      return holder(join(dir, "lock.json"));
    throw error;
  } finally {
    database.close();
  }
}

/** Reads ` (pid N, started T)`; an empty text where the file is unreadable. */
function holder(file: string): string {
  try {
    const { pid, startedAt } = holderFile.parse(JSON.parse(readFileSync(file, "utf8")));
    return ` (pid ${pid}, started ${startedAt})`;
  } catch {
    return "";
  }
}
