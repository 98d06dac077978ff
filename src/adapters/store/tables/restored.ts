import { sql } from "kysely";

/** As long as GitHub delivers again what came after the backup, and with it the effects that were done then. */
const MAY_BE_DONE_MS = 3 * 24 * 60 * 60_000;

/**
 * Whether a new effect may have been done already, in the life between a backup and its restoring: 1 or 0, as a column.
 * `at` in milliseconds since the epoch.
 */
export function mayBeDone(at: number) {
  return sql<number>`case when exists (select 1 from restored where opened_at > ${at - MAY_BE_DONE_MS})
    then 1 else 0 end`;
}
