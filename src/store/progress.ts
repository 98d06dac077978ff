import type { Kysely } from "kysely";
import { z } from "zod";
import type { ProgressTable } from "../core/ports/guard-tables.ts";
import type { ProgressRow } from "../core/progress-memory.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const progress = z.strictObject({
  changes: z.boolean(),
  tree: z.string().nullable(),
  trees: z.array(z.string()),
  begun: z.boolean(),
  known: z.array(z.string()),
  turns: z.array(z.strictObject({ mark: z.string(), waits: z.boolean() })),
  idle: z.int(),
  reading: z.int(),
  failures: z.record(z.string(), z.strictObject({ mark: z.string(), count: z.int() })),
});

const rows = codec<ProgressRow>(
  "progress",
  z.object({ agentId: z.int(), progress, moveId: z.int(), wakeId: z.int() }),
  "agentId",
);

/** How each agent gets on, as of its last turn. */
export function progressTable(db: Kysely<Schema>): ProgressTable {
  return {
    get: async (agentId) => {
      const row = await db
        .selectFrom("progress")
        .selectAll()
        .where("agentId", "=", agentId)
        .executeTakeFirst();
      return row && rows.decode(row);
    },
    put: async (row) => {
      const { agentId, ...columns } = rows.encode(row);
      await db
        .insertInto("progress")
        .values({ agentId, ...columns })
        .onConflict((conflict) => conflict.column("agentId").doUpdateSet(columns))
        .execute();
    },
  };
}
