import type { Migration } from "./migration.ts";

/** Who gave work up, or what became of its issue. */
export const abandonedReasons: Migration = {
  name: "0018_abandoned_reasons",
  sql: "ALTER TABLE task ADD COLUMN abandoned_reason TEXT;",
};
