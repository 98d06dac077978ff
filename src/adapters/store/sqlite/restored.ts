import type { Database } from "better-sqlite3";
import { sql } from "kysely";

/** As long as GitHub delivers again what came after the backup, and with it the effects that were done then. */
const MAY_BE_DONE_MS = 3 * 24 * 60 * 60_000;

/** Notes when a backup is opened for the first time; of a database that is none nothing changes. */
export function noteRestored(database: Database): void {
  database.prepare("UPDATE restored SET opened_at = ? WHERE opened_at IS NULL").run(Date.now());
}

/**
 * Whether a new effect may have been done already, in the life between a backup and its restoring: 1 or 0, as a column.
 * `at` in milliseconds since the epoch.
 */
export function mayBeDone(at: number) {
  return sql<number>`exists (select 1 from restored where opened_at > ${at - MAY_BE_DONE_MS})`;
}
