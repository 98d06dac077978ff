import type { Migration } from "./migration.ts";

/** What the error of a run is, beside its text. */
export const errorCodes: Migration = {
  name: "0012_error_codes",
  sql: "ALTER TABLE run ADD COLUMN error_code TEXT;",
};
