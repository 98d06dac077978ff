import type { Kysely } from "kysely";
import type { DayBudgetTable } from "../core/ports/audit-tables.ts";
import type { Schema } from "./schema.ts";

/** What a repository used since a moment, and what people added to its limits for a day. */
export function dayBudgetTable(db: Kysely<Schema>): DayBudgetTable {
  return {
    spent: async (repositoryId, day) => {
      const row = await db
        .selectFrom("dayCost")
        .select("costMicroUsd")
        .where("repositoryId", "=", repositoryId)
        .where("day", "=", day)
        .executeTakeFirst();
      return row?.costMicroUsd ?? 0;
    },
    startedSince: async (repositoryId, since) => {
      const row = await db
        .selectFrom("transition")
        .select((eb) => eb.fn.countAll<number>().as("started"))
        .where("repositoryId", "=", repositoryId)
        .where("event", "=", "START")
        .where("machine", "=", "agent")
        .where("at", ">=", since)
        .executeTakeFirstOrThrow();
      return row.started;
    },
    grant: async (grant) => {
      await db.insertInto("dayGrant").values(grant).execute();
    },
    granted: async (repositoryId, day) => {
      const row = await db
        .selectFrom("dayGrant")
        .select((eb) => [
          eb.fn.coalesce(eb.fn.sum<number>("costMicroUsd"), eb.lit(0)).as("costMicroUsd"),
          eb.fn.coalesce(eb.fn.sum<number>("agents"), eb.lit(0)).as("agents"),
        ])
        .where("repositoryId", "=", repositoryId)
        .where("day", "=", day)
        .executeTakeFirstOrThrow();
      return row;
    },
  };
}
