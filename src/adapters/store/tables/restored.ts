import { sql } from "kysely";

/** How long GitHub can redeliver what came after the backup, and so request effects that were done then. */
const MAY_BE_DONE_MS = 3 * 24 * 60 * 60_000;

/**
 * Returns SQL for 1 if a new effect may have been done between a backup and its restore, else 0. `at` in
 * milliseconds since the epoch.
 */
export function mayBeDone(at: number) {
  return sql<number>`case when exists (select 1 from restored where opened_at > ${at - MAY_BE_DONE_MS})
    then 1 else 0 end`;
}
