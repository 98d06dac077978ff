import type { Kysely } from "kysely";
import { z } from "zod";
import type { BlockersRow } from "../../../domain/blockers/blockers.ts";
import type { BlockersTable } from "../../../domain/ports/work-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<BlockersRow>(
  "blockers",
  z.object({
    repositoryId: z.int(),
    issue: z.int(),
    blockers: z.array(z.object({ repository: z.string(), number: z.int(), open: z.boolean() })),
    linked: z.boolean(),
    readAt: z.int(),
  }),
  "issue",
);

/** Stores the blockers that GitHub lists for issues; each reading replaces the one before. */
export function blockersTable(db: Kysely<Schema>): BlockersTable {
  return {
    get: async (repositoryId, issue) => {
      const row = await db
        .selectFrom("blockers")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .where("issue", "=", issue)
        .executeTakeFirst();
      return row && rows.decode(row);
    },
    blocking: async ({ repository, number }) => {
      const found = await db
        .selectFrom("linkedBlocker")
        .innerJoin("blockers", (join) =>
          join
            .onRef("blockers.repositoryId", "=", "linkedBlocker.repositoryId")
            .onRef("blockers.issue", "=", "linkedBlocker.issue"),
        )
        .selectAll("blockers")
        .where("linkedBlocker.number", "=", number)
        .where("linkedBlocker.repository", "=", repository.toLowerCase())
        .orderBy("linkedBlocker.repositoryId")
        .orderBy("linkedBlocker.issue")
        .execute();
      return found.map((row) => rows.decode(row));
    },
    reportedBy: async (repositoryId, number) => {
      const found = await db
        .selectFrom("reportedBlocker")
        .select("agentId")
        .where("repositoryId", "=", repositoryId)
        .where("number", "=", number)
        .orderBy("agentId")
        .execute();
      return found.map(({ agentId }) => agentId);
    },
    put: async (row) => {
      const columns = rows.encode(row);
      await db
        .insertInto("blockers")
        .values(columns)
        .onConflict((conflict) => conflict.columns(["repositoryId", "issue"]).doUpdateSet(columns))
        .execute();
    },
  };
}
