import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { atMostLargest } from "../../../domain/commands/extension.ts";
import type {
  BacklogTable,
  DayBudgetTable,
  UsageTable,
  Waiting,
} from "../../../domain/ports/audit-tables.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

/** Stores the tokens of each model call; rows never change until `sumUpUsage` sums them up. */
export function usageTable(db: Kysely<Schema>): UsageTable {
  return {
    add: async (usage) => {
      await db.insertInto("usage").values(usage).execute();
    },
  };
}

/**
 * Sums up the model calls in `rows` by agent, model and day (UTC), the finest resolution that the ledger
 * reads. The first row of each group takes the sums, and the others are deleted. Resolves with the number of
 * deleted rows.
 */
export async function sumUpUsage(db: Kysely<Schema>, rows: RawBuilder<unknown>): Promise<number> {
  const sums = sql`SELECT min(id) AS id, sum(input_tokens) AS input, sum(output_tokens) AS output,
      sum(cached_tokens) AS cached, sum(cost_micro_usd) AS cost
    FROM usage WHERE ${rows} GROUP BY agent_id, model, at / 86400000`;
  const inOne = async (trx: Kysely<Schema>): Promise<number> => {
    const kept = sql`SELECT min(id) FROM usage WHERE ${rows} GROUP BY agent_id, model, at / 86400000`;
    await sql`UPDATE usage SET input_tokens = one.input, output_tokens = one.output,
      cached_tokens = one.cached, cost_micro_usd = one.cost
      FROM (${sums} HAVING count(*) > 1) AS one WHERE usage.id = one.id`.execute(trx);
    const { numAffectedRows } = await sql`DELETE FROM usage WHERE ${rows} AND id NOT IN (${kept})`.execute(
      trx,
    );
    return Number(numAffectedRows ?? 0n);
  };
  return db.isTransaction ? inOne(db) : db.transaction().execute(inOne);
}

/** Reads what a repository used since a moment, and what people added to its limits for a day. */
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
    spentSince: async (repositoryIds, day) => {
      const row = await db
        .selectFrom("dayCost")
        .select(sql<number>`coalesce(sum(cost_micro_usd * 1.0), 0.0)`.as("spent"))
        .where(sql<SqlBool>`repository_id in ${numbers(repositoryIds)}`)
        .where("day", ">=", day)
        .executeTakeFirstOrThrow();
      return atMostLargest(row.spent);
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
        .select([
          // A sum of integers can overflow, and then every query about the repository would fail.
          sql<number>`coalesce(sum(cost_micro_usd * 1.0), 0.0)`.as("costMicroUsd"),
          sql<number>`coalesce(sum(agents * 1.0), 0.0)`.as("agents"),
        ])
        .where("repositoryId", "=", repositoryId)
        .where("day", "=", day)
        .executeTakeFirstOrThrow();
      return { costMicroUsd: atMostLargest(row.costMicroUsd), agents: atMostLargest(row.agents) };
    },
  };
}

/** Reads what waits, for the metrics: an index answers each query, however much is done already. */
export function backlogTable(db: Kysely<Schema>): BacklogTable {
  return {
    waiting: async () => ({
      deliveries: await rowsOf<Waiting["deliveries"][number]>(
        db,
        sql`SELECT state, count(*) AS count FROM delivery
          WHERE state IN ('pending', 'claimed', 'dead') GROUP BY state ORDER BY state`,
      ),
      oldestDelivery: await oldest(
        db,
        sql`SELECT received_at AS at FROM delivery WHERE state = 'pending' ORDER BY seq LIMIT 1`,
      ),
      effects: await rowsOf<Waiting["effects"][number]>(
        db,
        sql`SELECT kind, state, count(*) AS count FROM effect
          WHERE state IN ('pending', 'leased') GROUP BY kind, state ORDER BY kind, state`,
      ),
      oldestEffect: await oldest(
        db,
        sql`SELECT created_at AS at FROM effect WHERE state = 'pending' ORDER BY id LIMIT 1`,
      ),
      agents: await rowsOf<Waiting["agents"][number]>(
        db,
        sql`SELECT role, state, sum(count) AS count FROM tally
          WHERE machine = 'agent' AND count > 0 GROUP BY state, role ORDER BY state, role`,
      ),
      databaseBytes: await databaseBytes(db),
    }),
  };
}

async function rowsOf<Row>(db: Kysely<Schema>, query: ReturnType<typeof sql>): Promise<readonly Row[]> {
  return (await sql<Row>`${query}`.execute(db)).rows;
}

async function oldest(db: Kysely<Schema>, query: ReturnType<typeof sql>): Promise<number | null> {
  const [row] = await rowsOf<{ at: number }>(db, query);
  return row?.at ?? null;
}

async function databaseBytes(db: Kysely<Schema>): Promise<number> {
  const [row] = await rowsOf<{ bytes: number }>(db, dialect.databaseBytes());
  return row?.bytes ?? 0;
}
