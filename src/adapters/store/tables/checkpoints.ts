import type { Kysely } from "kysely";
import { z } from "zod";
import type { CheckpointTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema, StoredCheckpoint } from "../sql/schema.ts";

const rows = codec<StoredCheckpoint>(
  "checkpoint",
  z.object({
    agentId: z.int(),
    token: z.int(),
    commitSha: z.string().nullable(),
    madeAt: z.int().nullable(),
    pushedSha: z.string().nullable(),
    pushedMadeAt: z.int().nullable(),
    fault: z.string().nullable(),
  }),
  "agentId",
);

/** Stores the last checkpoints of each agent's work. */
export function checkpointTable(db: Kysely<Schema>): CheckpointTable {
  return {
    get: async (agentId) => {
      const row = await db
        .selectFrom("checkpoint")
        .selectAll()
        .where("agentId", "=", agentId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { commitSha, pushedSha, ...rest } = rows.decode(row);
      return { ...rest, commit: commitSha, pushed: pushedSha };
    },
    put: async ({ commit, pushed, ...rest }) => {
      const columns = rows.encode({ ...rest, commitSha: commit, pushedSha: pushed });
      await db
        .insertInto("checkpoint")
        .values(columns)
        .onConflict((conflict) => conflict.column("agentId").doUpdateSet(columns))
        .execute();
    },
  };
}
