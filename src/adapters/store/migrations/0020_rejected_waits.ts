import type { Migration } from "./migration.ts";

/**
 * Rejected work that no coder takes up again waits for a person, as a failed merge does. The limit of turns is the role's
 * and its agent's, and was never kept for a run.
 */
export const rejectedWaits: Migration = {
  name: "0020_rejected_waits",
  sql: `
DROP INDEX task_waits;

CREATE INDEX task_waits ON task (created_at, id)
  WHERE state IN ('READY_FOR_REVIEW', 'REJECTED', 'APPROVED', 'BLOCKED', 'INTEGRATION_FAILED');

ALTER TABLE run DROP COLUMN turn_limit;
`,
};
