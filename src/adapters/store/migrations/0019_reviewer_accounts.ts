import type { Migration } from "./migration.ts";

/** People who give verdicts are told apart by their account, because they can change their login. */
export const reviewerAccounts: Migration = {
  name: "0019_reviewer_accounts",
  sql: `
DROP INDEX verdict_one_current;
ALTER TABLE verdict ADD COLUMN account INTEGER;
CREATE UNIQUE INDEX verdict_one_of_account ON verdict (task_id, account, commit_sha)
  WHERE state = 'current' AND account IS NOT NULL;
CREATE UNIQUE INDEX verdict_one_of_role ON verdict (task_id, reviewer, commit_sha)
  WHERE state = 'current' AND agent_id IS NOT NULL;
`,
};
