import type { Migration } from "./migration.ts";

/** The list of what waits for people holds agents in `error` too: a person may try them at once. */
export const errorWaits: Migration = {
  name: "0010_error_waits",
  sql: `
DROP INDEX agent_waits;

CREATE INDEX agent_waits ON agent (CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END)
  WHERE state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (state = 'ESCALATED'
    OR sleep_reason IN ('paused', 'question', 'approval', 'review', 'retry', 'provider_limit')
    OR instr(held_by, '"person"') > 0);
`,
};
