import type { Kysely } from "kysely";
import { z } from "zod";
import type { ProgressRow } from "../../../domain/breakers/progress-memory.ts";
import { HANDOFF_CAUSES, type HandoffRow } from "../../../domain/conversation/handoff.ts";
import type { HandoffTable, ProgressTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

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

const progressRows = codec<ProgressRow>(
  "progress",
  z.object({ agentId: z.int(), progress, moveId: z.int(), wakeId: z.int() }),
  "agentId",
);

/** Stores each agent's progress as of its last turn. */
export function progressTable(db: Kysely<Schema>): ProgressTable {
  return {
    get: async (agentId) => {
      const row = await db
        .selectFrom("progress")
        .selectAll()
        .where("agentId", "=", agentId)
        .executeTakeFirst();
      return row && progressRows.decode(row);
    },
    put: async (row) => {
      const { agentId, ...columns } = progressRows.encode(row);
      await db
        .insertInto("progress")
        .values({ agentId, ...columns })
        .onConflict((conflict) => conflict.column("agentId").doUpdateSet(columns))
        .execute();
    },
  };
}

const handoffsRows = codec<HandoffRow>(
  "handoff",
  z.object({
    id: z.int(),
    agentId: z.int(),
    sessionId: z.string().nullable(),
    cause: z.enum(HANDOFF_CAUSES),
    writtenBy: z.enum(["agent", "host"]),
    summary: z.string(),
    nextAction: z.string(),
    repeated: z.string().nullable(),
    createdAt: z.int(),
  }),
);

/** Stores the handoffs that sessions left for the next ones; rows never change. */
export function handoffTable(db: Kysely<Schema>): HandoffTable {
  return {
    add: async (handoff) => {
      await db.insertInto("handoff").values(handoffsRows.encode(handoff)).execute();
    },
    ofAgent: async (agentId) => {
      const found = await db
        .selectFrom("handoff")
        .selectAll()
        .where("agentId", "=", agentId)
        .orderBy("id")
        .execute();
      return found.map((row) => handoffsRows.decode(row));
    },
  };
}
