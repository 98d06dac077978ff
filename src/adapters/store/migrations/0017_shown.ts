import type { Migration } from "./migration.ts";

/** The last status comment of an issue, and the last answer to a command, are found without reading all others. */
export const shown: Migration = {
  name: "0017_shown",
  sql: `
CREATE INDEX effect_shown ON effect (lane, kind, id) WHERE kind IN ('status_comment', 'react');
`,
};
