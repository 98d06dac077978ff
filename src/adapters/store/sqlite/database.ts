import { chmodSync, closeSync, lstatSync, openSync, readlinkSync, statSync } from "node:fs";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { messageOf, StartupRefused } from "../../../domain/kernel/errors.ts";
import { APPLICATION_ID, refuseUnknownSchema } from "./schema-number.ts";

const IN_MEMORY = ":memory:";
/** Older versions can corrupt a WAL file when a checkpoint coincides with a commit of another connection. */
const OLDEST_SQLITE = "3.51.3";

/** Settings in the order in which they must be set, each with the value that reading it back must return. */
const SETTINGS = [
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["busy_timeout", "250", 250],
] as const;

/**
 * Opens or creates the database file (mode 0600) with the settings that durability depends on. Reads them
 * back after a write, because SQLite reports `synchronous` correctly only then. Throws `StartupRefused` with
 * what to do, before it changes a database of an unknown schema.
 */
export function openDatabase(path: string): Database {
  let database: Database | undefined;
  try {
    if (path !== IN_MEMORY) {
      refuseUnknownSchema(path);
      createPrivately(path);
    }
    database = new SqliteDatabase(path);
    database.pragma("journal_mode = WAL");
    database.pragma("mmap_size = 0");
    // Each decision's query builds some twenty temporary tables; as files they take four times as long.
    database.pragma("temp_store = MEMORY");
    for (const [name, value] of SETTINGS) database.pragma(`${name} = ${value}`);
    // This is the first write of each start.
    database.pragma(`application_id = ${APPLICATION_ID}`);
    assertDurable(database);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StartupRefused
      ? error
      : new StartupRefused([
          `${path} cannot be opened (${messageOf(error)}): ${danglingLink(path) ?? cure(error)}`,
        ]);
  }
}

/**
 * Throws `StartupRefused` that names every setting under which an acknowledged commit could be lost or the
 * file damaged.
 */
export function assertDurable(database: Database): void {
  const wrong: string[] = SETTINGS.filter(
    ([name, , want]) => database.pragma(name, { simple: true }) !== want,
  ).map(([name, value]) => `${name} is ${String(database.pragma(name, { simple: true }))}, not ${value}`);
  const journal = database.pragma("journal_mode", { simple: true });
  if (journal !== (database.memory ? "memory" : "wal"))
    wrong.push(`journal_mode is ${String(journal)}, not wal`);
  const version = String(database.prepare("SELECT sqlite_version()").pluck().get());
  if (version.localeCompare(OLDEST_SQLITE, "en", { numeric: true }) < 0)
    wrong.push(`SQLite is ${version}, older than ${OLDEST_SQLITE}`);
  if (wrong.length > 0) {
    throw new StartupRefused(
      wrong.map(
        (fault) =>
          `${database.name}: ${fault}: acknowledged work could be lost; put the data directory on a local disk, and install flotilla's own packages again`,
      ),
    );
  }
}

/** Creates the file before SQLite sees it, because SQLite gives `-wal` and `-shm` the file's mode. */
function createPrivately(path: string): void {
  // An existing file is never opened here: closing it would drop the locks of another connection in this
  // process.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, "wx", 0o600));
  else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}

/** Returns what to do about a link to a file that is missing; null where the path is none. */
function danglingLink(path: string): string | null {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || statSync(path, { throwIfNoEntry: false }) !== undefined) return null;
  return `it is a link to ${readlinkSync(path)}, which does not exist: put that file back, or remove the link`;
}

function cure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/NOTADB|CORRUPT/.test(code)) return "restore it from a backup";
  if (/BUSY|LOCKED/.test(code)) return "end the program that holds it open";
  if (/FULL|ENOSPC|EDQUOT/.test(code)) return "free disk space";
  return "make its directory writable for the user that runs flotilla, or set FLOTILLA_DATA_DIR";
}
