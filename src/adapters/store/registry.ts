import type { Database, DatabaseEntry, DatabaseSettings } from "./database.ts";
import { sqlite } from "./sqlite/entry.ts";

/** Locks of files, which Node.js lacks, whatever database is used. */
export { isLocked, lockFile } from "./sqlite/file-lock.ts";
/** A replay reads into a store in memory, whatever database its rows come from. */
export { openReplayInputs } from "./sqlite/open-inputs.ts";

/** The kinds of databases. The first one that the settings name is used; the last needs no setting. */
export const DATABASES: readonly DatabaseEntry[] = [sqlite];

/** Returns the location of the database that the settings name. */
export function databaseLocation(settings: DatabaseSettings): string {
  for (const { locationIn } of DATABASES) {
    const location = locationIn(settings);
    if (location !== undefined) return location;
  }
  throw new Error("the settings name no database");
}

/** Returns access to the database at a location. Every program opens its database through this function. */
export function databaseAt(location: string): Database {
  const entry = DATABASES.find(({ name }) => location.startsWith(`${name}:`));
  if (entry === undefined) throw new Error(`there is no kind of database for ${location}`);
  return entry.at(location);
}
