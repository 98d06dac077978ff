import type { Migration } from "./migration.ts";

/** Who pushed to the branch of an issue's work is found however many decisions about the issue came after. */
export const foreignCommits: Migration = {
  name: "0016_foreign_commits",
  sql: `
CREATE INDEX decision_foreign_commit ON decision (repository_id, issue) WHERE rule = 'foreign_commit';
`,
};
