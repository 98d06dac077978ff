import type { Database, DatabaseEntry, DatabaseSettings } from "./database.ts";
import { postgres } from "./postgres/entry.ts";
import { sqlite } from "./sqlite/entry.ts";

/** Locks of files, which Node.js lacks, whatever database is used. */
export { isLocked, lockFile } from "./sqlite/file-lock.ts";
/** A replay reads into a store in memory, whatever database its rows come from. */
export { openReplayInputs } from "./sqlite/open-inputs.ts";

/** The kinds of databases. The first one that the settings name is used; the last needs no setting. */
export const DATABASES: readonly DatabaseEntry[] = [postgres, sqlite];

/** Returns access to the database that the settings name. Every program opens its database through this function. */
export function databaseIn(settings: DatabaseSettings): Database {
  for (const { databaseIn: named } of DATABASES) {
    const database = named(settings);
    if (database !== undefined) return database;
  }
  throw new Error("the settings name no database");
}
