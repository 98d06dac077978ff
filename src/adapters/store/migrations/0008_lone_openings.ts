import type { Migration } from "./migration.ts";

/** Openings that are tried alone because the process ended during an earlier one. */
export const loneOpenings: Migration = {
  name: "0008_lone_openings",
  sql: `
CREATE TABLE lone_opening (
  agent_id INTEGER NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
  step TEXT NOT NULL CHECK (step IN ('worktree', 'conversation')),
  begun INTEGER NOT NULL,
  PRIMARY KEY (agent_id, step)
) STRICT, WITHOUT ROWID;
`,
};
