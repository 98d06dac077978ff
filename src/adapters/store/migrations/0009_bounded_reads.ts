import type { Migration } from "./migration.ts";

/** Indexes by which the ledger, leases of reviews, merge trains and limits of opened issues read only what they need. */
export const boundedReads: Migration = {
  name: "0009_bounded_reads",
  sql: `
CREATE INDEX touch_of_issue ON touch (repository_id, issue);

CREATE INDEX review_lease_held ON review_lease (lease_until, id) WHERE state = 'HELD';

CREATE INDEX task_aboard ON task (repository_id, id)
  WHERE state IN ('APPROVED', 'INTEGRATION_FAILED')
    OR (integration_fix = 1 AND state IN ('CLAIMED', 'READY_FOR_REVIEW', 'REJECTED'));

CREATE INDEX task_approved ON task (repository_id, id) WHERE state = 'APPROVED';

CREATE INDEX agent_gave_up ON agent (repository_id, ended_at, issue) WHERE state IN ('FAILED', 'CANCELLED');

CREATE INDEX effect_opened_issue ON effect
  (repository_id, CASE WHEN json_valid(result) THEN result ->> '$.number' END)
  WHERE kind IN ('create_blocker_issue', 'create_sub_issue');
`,
};
