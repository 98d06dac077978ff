import type { Kysely } from "kysely";
import { z } from "zod";
import type { SeenPullRow, SeenPullTable } from "../core/ports/seen-pulls.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<SeenPullRow>(
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

/** What was read of our pull requests; each reading takes the place of the one before. */
export function seenPullTable(db: Kysely<Schema>): SeenPullTable {
  return {
    put: async (row) => {
      const columns = rows.encode(row);
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
      return found.map((row) => rows.decode(row));
    },
  };
}
