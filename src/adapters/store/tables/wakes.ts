import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { WAKE_REASONS } from "../../../domain/agents/agent-record.ts";
import type { WakeRow } from "../../../domain/kernel/rows.ts";
import type { WakeTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import { idsByRepository } from "../sql/ids-by-repository.ts";
import type { Schema, StoredWake } from "../sql/schema.ts";

const rows = codec<StoredWake>(
  "wake",
  z.object({
    id: z.int(),
    key: z.string(),
    agentId: z.int(),
    reason: z.enum(WAKE_REASONS),
    detail: z.string(),
    granted: z
      .object({
        by: z.array(z.string()),
        turns: z.int(),
        toolCalls: z.int(),
        wakes: z.int(),
        tokens: z.int(),
        costMicroUsd: z.int(),
        activeMs: z.int(),
        rounds: z.int(),
      })
      .nullable(),
    state: z.enum(["pending", "delivered", "dropped"]),
    dueAt: z.int(),
    createdAt: z.int(),
    settledAt: z.int().nullable(),
  }),
);

function decode(row: Readonly<Record<string, unknown>>): WakeRow {
  const { granted, ...wake } = rows.decode(row);
  return { ...wake, grant: granted };
}

/** Inlined, because the planner uses `wake_pending` and `wake_delivered` only for their literal conditions. */
const PENDING = sql.lit("pending" as const);
const DELIVERED = sql.lit("delivered" as const);

/** Selects the pending stop of the agent's last run. */
function stopOf(db: Kysely<Schema>) {
  return db
    .selectFrom("effect")
    .select("effect.id")
    .where("effect.agentId", "=", sql.ref<number>("agent.id"))
    .where("effect.kind", "=", "close_session")
    .where("effect.state", "in", ["pending", "leased"]);
}

/** Reads wakes first, because a planner would begin with all sleeping agents. */
function due(db: Kysely<Schema>, now: number) {
  return sql`from wake ${dialect.byIndex("wake_pending")} ${dialect.joinInOrder()} agent on agent.id = wake.agent_id
    where wake.state = 'pending' and wake.due_at <= ${now} and agent.state in ('SLEEPING', 'ESCALATED')
      and not exists ${stopOf(db)}`;
}

/** Stores wakes until they are delivered. */
export function wakeTable(db: Kysely<Schema>): WakeTable {
  return {
    add: async ({ grant, ...wake }, delivery = null) => {
      const columns = rows.encode({ ...wake, granted: grant, state: "pending", settledAt: null });
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("wake")
        .values({ ...columns, delivery })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    pending: async (agentId) => {
      const found = await db
        .selectFrom("wake")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("state", "=", PENDING)
        .orderBy("id")
        .execute();
      return found.map(decode);
    },
    due: async (now, agentIds) => {
      const { rows: found } = await sql<Record<string, unknown>>`select wake.* ${due(db, now)}
        and wake.agent_id in ${numbers(agentIds)}
        order by wake.id`.execute(db);
      return found.map(decode);
    },
    dueAgents: async (now) => {
      const { rows: found } = await sql<{
        id: number;
        repositoryId: number;
      }>`select agent.id, agent.repository_id
        ${due(db, now)} group by agent.id, agent.repository_id order by min(wake.id)`.execute(db);
      return idsByRepository(found);
    },
    firstToGo: async (now, repositoryId) => {
      const free = sql`agent.held_by = '[]'
        ${repositoryId === null ? sql`` : sql`and agent.repository_id = ${repositoryId}`}`;
      const { rows: found } = await sql<{ id: number | null }>`select min(id) as id from (
        select * from (select id from agent where agent.state = 'CREATED' and ${free} order by id limit 1) as fresh
        union all
        select * from (select agent.id ${due(db, now)} and agent.state = 'SLEEPING' and ${free}
          order by wake.agent_id limit 1) as asleep) as first`.execute(db);
      return found[0]?.id ?? undefined;
    },
    delivered: async (agentId, limit) => {
      const found = await db
        .selectFrom("wake")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("state", "=", DELIVERED)
        .orderBy("settledAt", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return found.toReversed().map(decode);
    },
    settle: async (ids, state, at) => {
      if (ids.length === 0) return;
      await db
        .updateTable("wake")
        .set({ state, settledAt: at })
        .where("id", "in", ids)
        .where("state", "=", PENDING)
        .execute();
    },
  };
}
