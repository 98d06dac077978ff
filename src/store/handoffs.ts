import type { Kysely } from "kysely";
import { z } from "zod";
import { HANDOFF_CAUSES, type HandoffRow } from "../core/handoff.ts";
import type { HandoffTable } from "../core/ports/guard-tables.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<HandoffRow>(
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

/** What conversations left to the next ones; rows are only ever added. */
export function handoffTable(db: Kysely<Schema>): HandoffTable {
  return {
    add: async (handoff) => {
      await db.insertInto("handoff").values(rows.encode(handoff)).execute();
    },
    ofAgent: async (agentId) => {
      const found = await db
        .selectFrom("handoff")
        .selectAll()
        .where("agentId", "=", agentId)
        .orderBy("id")
        .execute();
      return found.map((row) => rows.decode(row));
    },
  };
}
