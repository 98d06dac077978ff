import { type Kysely, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { BlockersRow } from "../core/blockers.ts";
import type { BlockersTable } from "../core/ports/blockers.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

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

/** What issues are blocked by on GitHub; each reading takes the place of the one before. */
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
        .selectFrom("blockers")
        .selectAll()
        .where("blockers", "!=", sql<never>`'[]'`)
        .where(
          sql<SqlBool>`exists (select 1 from json_each(blockers.blockers) as one
            where lower(one.value ->> 'repository') = ${repository.toLowerCase()}
            and one.value ->> 'number' = ${number})`,
        )
        .orderBy("repositoryId")
        .orderBy("issue")
        .execute();
      return found.map((row) => rows.decode(row));
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
