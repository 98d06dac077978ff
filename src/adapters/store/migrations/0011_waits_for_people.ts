import type { Migration } from "./migration.ts";

/** Indexes of all that waits for a person: agents held by a person's push or in an error too, and tasks nobody works on. */
export const waitsForPeople: Migration = {
  name: "0011_waits_for_people",
  sql: `
DROP INDEX agent_waits;

CREATE INDEX agent_waits ON agent (CASE state WHEN 'CREATED' THEN created_at
  WHEN 'ACTIVE' THEN coalesce(active_since, created_at)
  WHEN 'SLEEPING' THEN coalesce(sleeping_since, created_at)
  WHEN 'ESCALATED' THEN coalesce(sleeping_since, created_at)
  ELSE coalesce(ended_at, created_at) END)
  WHERE state IN ('CREATED', 'SLEEPING', 'ESCALATED') AND (state = 'ESCALATED'
    OR sleep_reason IN ('paused', 'question', 'approval', 'review', 'retry', 'provider_limit')
    OR instr(held_by, '"person"') > 0 OR instr(held_by, '"commit"') > 0
    OR instr(held_by, '"invariant"') > 0);

CREATE INDEX task_waits ON task (created_at, id) WHERE state IN ('READY_FOR_REVIEW', 'APPROVED', 'BLOCKED');
`,
};
