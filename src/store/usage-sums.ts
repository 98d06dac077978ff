import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Makes one row of the model calls in `rows` that one agent made to one model on one day (UTC), which is as finely as the
 * ledger reads them: their first row takes the sums and the others go. Resolves with how many went.
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
