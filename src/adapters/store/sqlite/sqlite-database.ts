import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import type { Database } from "../database.ts";
import { copyStore } from "./backup.ts";
import { damageIn } from "./check-database.ts";
import { holderOf, lockDataDirectory } from "./lock.ts";
import { openStore } from "./open.ts";
import { openStoreReadOnly } from "./open-read-only.ts";
import { schemaFault } from "./schema-number.ts";
import { readSupportRows } from "./support-rows.ts";
import { tryDurable } from "./try-durable.ts";

const NAME = "flotilla.db";

/** Returns the SQLite database in a data directory. */
export function sqliteDatabase(dataDir: string): Database {
  const path = join(dataDir, NAME);
  return {
    kind: "sqlite",
    at: path,
    files: ["", "-wal", "-shm", "-inbox"].map((suffix) => `${NAME}${suffix}`),
    exists: () => existsSync(path),
    lock: () => lockDataDirectory(dataDir),
    holder: () => holderOf(dataDir),
    open: (options) => openStore({ path, ...options }),
    openReadOnly: () => openStoreReadOnly({ path }),
    schemaFault: () => schemaFault(path),
    readingFault: (error) =>
      error instanceof SqliteDatabase.SqliteError
        ? {
            what: `cannot be read (${error.message})`,
            next: "Look at it with `flotilla doctor`; if it is damaged, restore a backup (see Backup in docs/operations.md)",
          }
        : undefined,
    damage: () => damageIn(path),
    durabilityFaults: () => tryDurable(dataDir),
    copyTo: (directory, now) =>
      copyStore({ from: path, to: join(directory, NAME), now: Math.min(now, lastWrite(path)) }),
    supportRows: (options) => readSupportRows(path, options),
    sizes: () => ({ log: sizeOf(`${path}-wal`), inbox: sizeOf(`${path}-inbox`) }),
  };
}

/**
 * Returns when the files last changed: a lease that expired while nothing was serving violates no invariant.
 */
function lastWrite(path: string): number {
  const there = [path, `${path}-wal`].filter((file) => existsSync(file));
  return Math.floor(Math.max(...there.map((file) => statSync(file).mtimeMs)));
}

/** Returns the file's size in bytes; 0 where it is missing. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
