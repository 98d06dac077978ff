import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { IntentRow } from "../../../domain/kernel/rows.ts";
import type { IntentTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema, StoredIntent } from "../sql/schema.ts";

const rows = codec<StoredIntent>(
  "intent",
  z.object({
    id: z.int(),
    agentId: z.int(),
    token: z.int(),
    kind: z.enum([
      "report_blocked",
      "report_complete",
      "request_review",
      "submit_verdict",
      "escalate_to_human",
      "ask_human",
    ]),
    payload: z.unknown(),
    commitSha: z.string().nullable(),
    state: z.enum(["recorded", "applied", "refused"]),
    reason: z.string().nullable(),
    createdAt: z.int(),
  }),
);

function decode(row: Readonly<Record<string, unknown>>): IntentRow {
  const { commitSha, ...intent } = rows.decode(row);
  return { ...intent, commit: commitSha };
}

/** Inlined, because the planner uses the index `intent_one_recorded` only for its literal condition. */
const RECORDED = sql.lit("recorded" as const);

/** Stores the intents that lifecycle tools recorded; at most one per agent waits to be applied. */
export function intentTable(db: Kysely<Schema>): IntentTable {
  return {
    add: async ({ commit, ...intent }) => {
      const row = await db
        .insertInto("intent")
        .values(rows.encode({ ...intent, commitSha: commit, state: "recorded", reason: null }))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && decode(row);
    },
    recorded: async (agentId) => {
      const row = await db
        .selectFrom("intent")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("state", "=", RECORDED)
        .executeTakeFirst();
      return row && decode(row);
    },
    lastReport: async (agentId) => {
      const row = await db
        .selectFrom("intent")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("kind", "in", ["report_complete", "request_review"])
        .where("state", "=", "applied")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decode(row);
    },
    verdict: async (agentId) => {
      const row = await db
        .selectFrom("intent")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("kind", "=", "submit_verdict")
        .where("state", "=", "applied")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decode(row);
    },
    settle: async (id, state, reason) => {
      await db
        .updateTable("intent")
        .set({ state, reason })
        .where("id", "=", id)
        .where("state", "=", RECORDED)
        .execute();
    },
  };
}
