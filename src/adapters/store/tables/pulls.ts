import type { Kysely } from "kysely";
import { z } from "zod";
import type {
  IssueTextRow,
  IssueTextTable,
  SeenPullRow,
  SeenPullTable,
} from "../../../domain/ports/work-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const pullsRows = codec<SeenPullRow>(
  "seen_pull",
  z.object({
    repositoryId: z.int(),
    pull: z.int(),
    openedAt: z.int(),
    changedLines: z.int().nullable(),
    asked: z.array(z.string()),
  }),
  "pull",
);

/** Stores what was read of our pull requests; each reading replaces the one before. */
export function seenPullTable(db: Kysely<Schema>): SeenPullTable {
  return {
    put: async (row) => {
      const columns = pullsRows.encode(row);
      await db
        .insertInto("seenPull")
        .values(columns)
        .onConflict((conflict) => conflict.columns(["repositoryId", "pull"]).doUpdateSet(columns))
        .execute();
    },
    ofRepositories: async (ids) => {
      const found = await db
        .selectFrom("seenPull")
        .selectAll()
        .where("repositoryId", "in", [...ids])
        .execute();
      return found.map((row) => pullsRows.decode(row));
    },
  };
}

const issueTextsRows = codec<IssueTextRow>(
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

/** Stores the texts of issues that agents see: those that a person with permission approved. */
export function issueTextTable(db: Kysely<Schema>): IssueTextTable {
  return {
    put: async (row) => {
      const columns = issueTextsRows.encode(row);
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
      return row === undefined ? undefined : issueTextsRows.decode(row);
    },
  };
}
