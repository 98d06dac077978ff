import type { Kysely } from "kysely";
import type { VerdictTable } from "../core/ports/store.ts";
import type { Schema } from "./schema.ts";

/** What reviewers found; a verdict is current until its commit is no longer under review. */
export function verdictTable(db: Kysely<Schema>): VerdictTable {
  return {
    commitOf: async (agentId) => {
      const row = await db
        .selectFrom("verdict")
        .select("commitSha")
        .where("agentId", "=", agentId)
        .where("state", "=", "current")
        .orderBy("id", "desc")
        .executeTakeFirst();
      return row?.commitSha;
    },
  };
}
