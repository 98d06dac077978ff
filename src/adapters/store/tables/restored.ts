import { sql } from "kysely";

/** How long GitHub can redeliver what came after the backup, and so request effects that were done then. */
const MAY_BE_DONE_MS = 3 * 24 * 60 * 60_000;

/** Returns since when a restored backup leaves it open whether an effect made at `at` was done; milliseconds since the epoch. */
export const mayBeDoneSince = (at: number): number => at - MAY_BE_DONE_MS;

/** Returns SQL for 1 if a restored backup was opened after `since`, else 0. */
export function restoredAfter(since: number) {
  return sql<number>`case when exists (select 1 from restored where opened_at > ${since})
    then 1 else 0 end`;
}
