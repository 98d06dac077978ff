import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { DECISION_RULES } from "../core/decisions/rules.ts";
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
    rule: z.enum(DECISION_RULES),
    reason: z.string(),
    change: z.string().nullable(),
    inputs: z.unknown(),
    count: z.int(),
    lastAt: z.int(),
    delivery: z.string().nullable(),
  }),
);

export const decodeDecision = (row: Readonly<Record<string, unknown>>): DecisionRow => rows.decode(row);

/** Repeats nearer than this are one: waiting agents are asked each second, and the disk is spared. */
const REPEAT_MS = 60_000;

/** Why something was or was not done; of a row only the count of its repeats ever changes. */
export function decisionTable(db: Kysely<Schema>): Tables["decisions"] {
  return {
    add: async (decision) => {
      const last = await latest(db, decision);
      if (last === undefined || !repeats(decision, last)) {
        const row = rows.encode({ ...decision, count: 1, lastAt: decision.at });
        const { insertId } = await db.insertInto("decision").values(row).executeTakeFirstOrThrow();
        return Number(insertId);
      }
      if (decision.at - last.lastAt >= REPEAT_MS)
        await db
          .updateTable("decision")
          .set({ count: sql`count + 1`, lastAt: decision.at })
          .where("id", "=", last.id)
          .execute();
      return null;
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
      return found.map(decodeDecision);
    },
  };
}

type NewDecision = Parameters<Tables["decisions"]["add"]>[0];

/** The latest about the same agent, or about none, of the same issue. */
async function latest(db: Kysely<Schema>, about: NewDecision): Promise<DecisionRow | undefined> {
  const row = await db
    .selectFrom("decision")
    .selectAll()
    .where("repositoryId", "is", about.repositoryId)
    .where("issue", "is", about.issue)
    .where("agentId", "is", about.agentId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && decodeDecision(row);
}

function repeats(decision: NewDecision, last: DecisionRow): boolean {
  const told = decision.delivery === null || decision.delivery === last.delivery;
  return told && decision.rule === last.rule && decision.reason === last.reason;
}
