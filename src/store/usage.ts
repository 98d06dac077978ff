import type { Kysely } from "kysely";
import type { UsageTable } from "../core/ports/audit-tables.ts";
import type { Schema } from "./schema.ts";

/** Tokens by model call; rows are only ever added. */
export function usageTable(db: Kysely<Schema>): UsageTable {
  return {
    add: async (usage) => {
      await db.insertInto("usage").values(usage).execute();
    },
  };
}
