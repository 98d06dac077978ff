import type { Migration } from "./migration.ts";

/** What a decision explains ends with the next move of its agent or task; times are too coarse to tell which came first. */
export const decidedAfter: Migration = {
  name: "0006_decided_after",
  sql: `
ALTER TABLE decision ADD COLUMN after_transition INTEGER NOT NULL DEFAULT 0;
`,
};
