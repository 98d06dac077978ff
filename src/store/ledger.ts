import { type Kysely, sql } from "kysely";
import type { LedgerAgent, LedgerRows, UsageSum } from "../core/ledger/postings.ts";
import type { LedgerTable } from "../core/ports/ledger.ts";
import type { Schema } from "./schema.ts";

const DAY_MS = 86_400_000;

/** What the work cost and what people had to do for it: sums of the usage, awake periods, ends and touches. */
export function ledgerTable(db: Kysely<Schema>): LedgerTable {
  return {
    touch: async (touch) => {
      await db
        .insertInto("touch")
        .values(touch)
        .onConflict((conflict) => conflict.columns(["repositoryId", "key"]).doNothing())
        .execute();
    },
    rows: async (since) => ({
      agents: await agents(db),
      usage: await usage(db, since),
      awake: await awake(db, since),
      ended: await ended(db, since),
      touches: await db
        .selectFrom("touch")
        .select(["repositoryId", "issue", "kind", "key", "at"])
        .where("at", ">=", since)
        .orderBy("id")
        .execute(),
    }),
  };
}

/** All of them: what is merged or commented today may have been done last month. */
async function agents(db: Kysely<Schema>): Promise<readonly LedgerAgent[]> {
  const { rows } = await sql<Omit<LedgerAgent, "coder"> & { coder: number }>`
    SELECT id, repository_id, issue, name, role, coder, created_at,
      CASE WHEN state = 'ACTIVE' THEN active_since END AS active_since
    FROM agent ORDER BY id`.execute(db);
  return rows.map((row) => ({ ...row, coder: row.coder === 1 }));
}

async function usage(db: Kysely<Schema>, since: number): Promise<readonly UsageSum[]> {
  const { rows } = await sql<UsageSum>`
    SELECT agent_id, model, at / ${sql.lit(DAY_MS)} AS day, sum(input_tokens) AS input_tokens,
      sum(cached_tokens) AS cached_tokens, sum(output_tokens) AS output_tokens,
      sum(cost_micro_usd) AS cost_micro_usd
    FROM usage WHERE at >= ${since}
    GROUP BY agent_id, model, at / ${sql.lit(DAY_MS)} ORDER BY min(id)`.execute(db);
  return rows;
}

async function awake(db: Kysely<Schema>, since: number): Promise<LedgerRows["awake"]> {
  const { rows } = await sql<{ agentId: number; at: number; toState: string }>`
    SELECT record_id AS agent_id, at, to_state FROM transition
    WHERE machine = 'agent' AND (from_state = 'ACTIVE' OR to_state = 'ACTIVE')
      AND from_state != to_state AND at >= ${since} ORDER BY id`.execute(db);
  return rows.map(({ agentId, at, toState }) => ({ agentId, at, begins: toState === "ACTIVE" }));
}

async function ended(db: Kysely<Schema>, since: number): Promise<LedgerRows["ended"]> {
  const { rows } = await sql<{
    repositoryId: number;
    issue: number;
    at: number;
    toState: string;
    assigneeId: number | null;
  }>`
    SELECT transition.repository_id, transition.issue, transition.at, transition.to_state, task.assignee_id
    FROM transition JOIN task ON task.id = transition.record_id
    WHERE transition.machine = 'task' AND transition.to_state IN ('MERGED', 'ABANDONED')
      AND transition.at >= ${since} ORDER BY transition.id`.execute(db);
  return rows.map(({ repositoryId, issue, at, toState, assigneeId }) => ({
    repositoryId,
    issue,
    at,
    merged: toState === "MERGED",
    coderId: assigneeId,
  }));
}
