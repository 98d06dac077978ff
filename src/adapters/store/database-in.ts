import type { Database, DatabasePlace } from "./database.ts";
import { sqliteDatabase } from "./sqlite/sqlite-database.ts";

/** A replay's store lies in memory, whatever database the rows came from. */
export { openReplayInputs } from "./sqlite/open-inputs.ts";

/** The database that the settings name. All programs come to their database by this. */
export function databaseIn({ dataDir }: DatabasePlace): Database {
  return sqliteDatabase(dataDir);
}
