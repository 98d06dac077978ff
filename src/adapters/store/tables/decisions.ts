import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { DECISION_RULES, LASTING_RULES } from "../../../domain/decisions/rules.ts";
import type { DecisionRow } from "../../../domain/kernel/rows.ts";
import type { Tables } from "../../../domain/ports/store.ts";
import { ACTS_OF_PEOPLE } from "../../../domain/reporting/persons-act.ts";
import { taskMachine } from "../../../domain/tasks/task.ts";
import { codec } from "../sql/codec.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";

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

/**
 * Repeats within this time count as one: waiting agents are reconsidered each second, and this saves writes.
 */
const REPEAT_MS = 60_000;

/** Stores decisions; in a stored row only the count of its repeats and the time of the last one change. */
export function decisionTable(db: Kysely<Schema>): Tables["decisions"] {
  return {
    add: async (decision) => {
      const last = await latest(db, decision);
      if (last === undefined || !repeats(decision, last) || !(await holds(db, last.id))) {
        const row = rows.encode({ ...decision, count: 1, lastAt: decision.at });
        const afterTransition = sql<number>`(SELECT coalesce(max(id), 0) FROM transition)`;
        const [added] = await keptRows(
          db,
          `insert decision ${Object.keys(row).join()}`,
          Object.values(row),
          () =>
            db
              .insertInto("decision")
              .values({ ...row, afterTransition })
              .returning("id")
              .compile(),
        );
        if (added === undefined) throw new Error("a decision was not stored");
        return added.id;
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
    foreignCommits: async (repositoryId, issue, limit) => {
      // The rule is a literal, so that the planner uses the partial index for it.
      const { rows: found } = await sql<Record<string, unknown>>`select * from decision where id in (
          select min(id) from decision
          where repository_id = ${repositoryId} and issue = ${issue} and rule = 'foreign_commit' group by inputs)
        order by id desc limit ${limit}`.execute(db);
      return found.map(decodeDecision);
    },
    inForce: async (repositoryId, issue) => {
      const row = await db
        .selectFrom("decision")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .where("issue", "=", issue)
        .where("change", "is not", null)
        // This decision is about a command's form, not about the work.
        .where("rule", "!=", "marks_refused")
        .where(STILL_HOLDS)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decodeDecision(row);
    },
  };
}

/** Tests that no later transition has ended what the decision explains. */
export const STILL_HOLDS = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM transition AS later
  WHERE later.repository_id = decision.repository_id AND later.issue = decision.issue
    AND later.id > decision.after_transition
    AND CASE WHEN decision.rule IN (${sql.join(LASTING_RULES)})
      THEN later.machine = 'task' AND later.to_state IN (${sql.join(taskMachine.terminal)})
      ELSE later.machine = 'task'
        OR later.machine = 'agent' AND (decision.agent_id IS NULL OR later.agent_id = decision.agent_id) END)`;

async function holds(db: Kysely<Schema>, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("decision")
    .select("id")
    .where("id", "=", id)
    .where(STILL_HOLDS)
    .executeTakeFirst();
  return row !== undefined;
}

type NewDecision = Parameters<Tables["decisions"]["add"]>[0];

/** Reads the latest decision of the same issue about the same agent, or about none. */
async function latest(db: Kysely<Schema>, about: NewDecision): Promise<DecisionRow | undefined> {
  const { repositoryId, issue, agentId } = about;
  const [row] = await keptRows(db, "latest decision", [repositoryId, issue, agentId], () =>
    db
      .selectFrom("decision")
      .selectAll()
      .where("repositoryId", "is not distinct from", repositoryId)
      .where("issue", "is not distinct from", issue)
      .where("agentId", "is not distinct from", agentId)
      .orderBy("id", "desc")
      .limit(sql.lit(1))
      .compile(),
  );
  return row && decodeDecision(row);
}

function repeats(decision: NewDecision, last: DecisionRow): boolean {
  if (ACTS_OF_PEOPLE.some((rule) => rule === decision.rule)) return false;
  const told = decision.delivery === null || decision.delivery === last.delivery;
  return told && decision.rule === last.rule && decision.reason === last.reason;
}
