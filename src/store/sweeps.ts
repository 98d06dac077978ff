import type { Kysely } from "kysely";
import type { SweepTable } from "../core/ports/sweeps.ts";
import type { Schema } from "./schema.ts";

/** One row: when all that GitHub had sent until then was known to be here or asked for. */
export function sweepTable(db: Kysely<Schema>): SweepTable {
  return {
    last: async () => (await db.selectFrom("sweep").select("at").executeTakeFirst())?.at ?? null,
    done: async (at) => {
      await db
        .insertInto("sweep")
        .values({ id: 1, at })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ at }))
        .execute();
    },
  };
}
