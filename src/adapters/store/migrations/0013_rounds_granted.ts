import type { Migration } from "./migration.ts";

/** How many rounds of review people gave the coder of a task after a deadlock. */
export const roundsGranted: Migration = {
  name: "0013_rounds_granted",
  sql: `
ALTER TABLE task ADD COLUMN rounds_granted INTEGER NOT NULL DEFAULT 0;
`,
};
