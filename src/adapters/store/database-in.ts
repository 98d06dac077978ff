import type { Database, DatabasePlace } from "./database.ts";
import { sqliteDatabase } from "./sqlite/sqlite-database.ts";

/** A replay reads into a store in memory, whatever database its rows come from. */
export { openReplayInputs } from "./sqlite/open-inputs.ts";

/** Returns the database that the settings name. Every program opens its database through this function. */
export function databaseIn({ dataDir }: DatabasePlace): Database {
  return sqliteDatabase(dataDir);
}
