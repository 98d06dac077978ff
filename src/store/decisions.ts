import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../core/ports/store.ts";
import type { DecisionRow } from "../core/rows.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<DecisionRow>(
  "decision",
  z.object({
    id: z.int(),
    at: z.int(),
    repositoryId: z.int().nullable(),
    issue: z.int().nullable(),
    agentId: z.int().nullable(),
    rule: z.string(),
    reason: z.string(),
    change: z.string().nullable(),
    inputs: z.unknown(),
    delivery: z.string().nullable(),
  }),
);

/** Why something was or was not done; rows are only ever added. */
export function decisionTable(db: Kysely<Schema>): Tables["decisions"] {
  return {
    add: async (decision) => {
      await db.insertInto("decision").values(rows.encode(decision)).execute();
    },
    ofIssue: async (repositoryId, issue, limit) => {
      const found = await db
        .selectFrom("decision")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .where("issue", "=", issue)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return found.map((row) => rows.decode(row));
    },
  };
}
