import { type Kysely, sql } from "kysely";
import type { MeterTable, Waiting } from "../core/ports/meters.ts";
import type { Schema } from "./schema.ts";

/** What waits, for the metrics: each query is answered from an index, whatever has been done before. */
export function meterTable(db: Kysely<Schema>): MeterTable {
  return {
    waiting: async () => ({
      deliveries: await rowsOf<Waiting["deliveries"][number]>(
        db,
        sql`SELECT state, count(*) AS count FROM delivery
          WHERE state IN ('pending', 'claimed', 'dead') GROUP BY state`,
      ),
      oldestDelivery: await oldest(
        db,
        sql`SELECT received_at AS at FROM delivery WHERE state = 'pending' ORDER BY seq LIMIT 1`,
      ),
      effects: await rowsOf<Waiting["effects"][number]>(
        db,
        sql`SELECT kind, state, count(*) AS count FROM effect
          WHERE state IN ('pending', 'leased') GROUP BY kind, state`,
      ),
      oldestEffect: await oldest(
        db,
        sql`SELECT created_at AS at FROM effect WHERE state = 'pending' ORDER BY id LIMIT 1`,
      ),
      agents: await rowsOf<Waiting["agents"][number]>(
        db,
        sql`SELECT role, state, sum(count) AS count FROM tally
          WHERE machine = 'agent' AND count > 0 GROUP BY state, role`,
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
  const [row] = await rowsOf<{ bytes: number }>(
    db,
    sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  );
  return row?.bytes ?? 0;
}
