import type { Migration } from "./migration.ts";

/** Indexes by which the rounds of each second read a page of what may be due, however many rows wait. */
export const rounds: Migration = {
  name: "0007_rounds",
  sql: `
CREATE INDEX agent_ends ON agent (created_at + ttl_ms)
  WHERE ttl_ms IS NOT NULL AND state IN ('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED');

DROP INDEX agent_with_ttl;

CREATE INDEX agent_may_be_reminded ON agent (sleeping_since, id)
  WHERE reminders < 2 AND (state = 'ESCALATED'
    OR (state = 'SLEEPING' AND sleep_reason IN ('review', 'approval', 'paused')));

DROP INDEX agent_reminded;

CREATE INDEX agent_left ON agent (id)
  WHERE worktree_path IS NOT NULL AND state IN ('COMPLETED', 'FAILED', 'CANCELLED');

CREATE INDEX session_in_state ON session (state);
`,
};
