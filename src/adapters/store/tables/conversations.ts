import type { Kysely } from "kysely";
import type { ConversationTable } from "../../../domain/ports/agent-tables.ts";
import type { Schema } from "../sql/schema.ts";

/** Stores the conversation of each live agent as bytes, which nothing but its runtime reads. */
export function conversationTable(db: Kysely<Schema>): ConversationTable {
  return {
    get: (agentId) =>
      db
        .selectFrom("conversation")
        .select(["agentId", "sessionId", "token", "keptAt", "packed"])
        .where("agentId", "=", agentId)
        .executeTakeFirst(),
    put: async (row) => {
      await db
        .insertInto("conversation")
        .values(row)
        .onConflict((conflict) => conflict.column("agentId").doUpdateSet(row))
        .execute();
    },
    drop: async (agentId) => {
      await db.deleteFrom("conversation").where("agentId", "=", agentId).execute();
    },
  };
}
