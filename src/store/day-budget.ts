import type { Kysely } from "kysely";
import { atMostLargest } from "../core/grant.ts";
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
          // A sum of whole numbers can overflow, and every question about the repository would fail.
          eb.fn<number>("total", ["costMicroUsd"]).as("costMicroUsd"),
          eb.fn<number>("total", ["agents"]).as("agents"),
        ])
        .where("repositoryId", "=", repositoryId)
        .where("day", "=", day)
        .executeTakeFirstOrThrow();
      return { costMicroUsd: atMostLargest(row.costMicroUsd), agents: atMostLargest(row.agents) };
    },
  };
}
