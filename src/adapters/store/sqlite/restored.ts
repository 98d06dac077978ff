import type { Database } from "better-sqlite3";

/** Notes when a backup is opened for the first time; of a database that is none nothing changes. */
export function noteRestored(database: Database): void {
  database.prepare("UPDATE restored SET opened_at = ? WHERE opened_at IS NULL").run(Date.now());
}
