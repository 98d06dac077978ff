import type { Migration } from "./migration.ts";

/** The index of work that waits for a person holds failed merges too, which nobody fixes once their coder has ended. */
export const failedMergesWait: Migration = {
  name: "0015_failed_merges_wait",
  sql: `
DROP INDEX task_waits;

CREATE INDEX task_waits ON task (created_at, id)
  WHERE state IN ('READY_FOR_REVIEW', 'APPROVED', 'BLOCKED', 'INTEGRATION_FAILED');
`,
};
