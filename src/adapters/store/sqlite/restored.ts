import type { Database } from "better-sqlite3";

/** Records that a backup is opened for the first time; changes nothing in any other database. */
export function noteRestored(database: Database): void {
  database.prepare("UPDATE restored SET opened_at = ? WHERE opened_at IS NULL").run(Date.now());
}
