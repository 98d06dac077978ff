import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import type { Database, DatabaseEntry } from "../database.ts";
import { copyStore } from "./backup.ts";
import { damageIn } from "./check-database.ts";
import { durabilityFaults } from "./durability-faults.ts";
import { fillFile, snapshotOf } from "./fill.ts";
import { migrations } from "./migrations/migrations.ts";
import { openStore } from "./open.ts";
import { openStoreReadOnly } from "./open-read-only.ts";
import { schemaFault } from "./schema-number.ts";
import { readSupportRows } from "./support-rows.ts";

const KIND = "sqlite";
const NAME = "flotilla.db";

/** Keeps the database in a file of the data directory. */
export const sqlite: DatabaseEntry = {
  name: KIND,
  variables: {},
  secretsIn: () => [],
  databaseIn: ({ dataDir }) => databaseOf(join(dataDir, NAME)),
};

function databaseOf(path: string): Database {
  return {
    kind: KIND,
    at: path,
    usedBy: "one_process",
    reads: migrations.length,
    files: ["", "-wal", "-shm", "-inbox"].map((suffix) => `${path}${suffix}`),
    exists: async () => existsSync(path),
    open: (options) => openStore({ path, ...options }),
    openReadOnly: async () => openStoreReadOnly({ path }),
    schemaFault: async () => schemaFault(path),
    readingFault,
    damage: async () => damageIn(path),
    durabilityFaults: async () => durabilityFaults(dirname(path)),
    copyTo: (copy, now) => copyStore({ from: path, to: copy.at, now: Math.min(now, lastWrite(path)) }),
    snapshot: (work) => snapshotOf(path, work),
    fillFrom: (rows, copiedAt) => fillFile(path, rows, copiedAt),
    supportRows: async (options) => readSupportRows(path, options),
    sizes: async () => ({ log: sizeOf(`${path}-wal`), inbox: sizeOf(`${path}-inbox`) }),
  };
}

function readingFault(error: unknown): { readonly what: string; readonly next: string } | undefined {
  if (!(error instanceof SqliteDatabase.SqliteError)) return undefined;
  // A copy of it is written to another disk, too.
  return error.code === "SQLITE_FULL"
    ? {
        what: `cannot be copied (${error.message})`,
        next: "Free some space on the disk that is written to, or choose another one",
      }
    : {
        what: `cannot be read (${error.message})`,
        next: "Look at it with `flotilla doctor`; if it is damaged, restore a backup (see Backup in docs/operations.md)",
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
