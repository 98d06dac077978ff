import type { Kysely } from "kysely";
import { z } from "zod";
import type { IssueTextRow, IssueTextTable } from "../core/ports/issue-texts.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<IssueTextRow>(
  "issue_text",
  z.object({
    repositoryId: z.int(),
    issue: z.int(),
    title: z.string(),
    body: z.string(),
    approvedBy: z.string(),
    at: z.int(),
  }),
  "issue",
);

/** What agents are shown of issues: the texts that a person with permission approved. */
export function issueTextTable(db: Kysely<Schema>): IssueTextTable {
  return {
    put: async (row) => {
      const columns = rows.encode(row);
      await db
        .insertInto("issueText")
        .values(columns)
        .onConflict((conflict) => conflict.columns(["repositoryId", "issue"]).doUpdateSet(columns))
        .execute();
    },
    of: async (repositoryId, issue) => {
      const row = await db
        .selectFrom("issueText")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .where("issue", "=", issue)
        .executeTakeFirst();
      return row === undefined ? undefined : rows.decode(row);
    },
  };
}
