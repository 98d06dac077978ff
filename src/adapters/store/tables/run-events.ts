import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { RunEventRow } from "../../../domain/kernel/rows.ts";
import { runEvent } from "../../../domain/kernel/run-event.ts";
import type { RunEventTable } from "../../../domain/ports/audit-tables.ts";
import { codec, UnreadableRow } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec(
  "run_event",
  z.strictObject({
    id: z.int(),
    at: z.int(),
    agentId: z.int().nullable(),
    runId: z.int().nullable(),
    repositoryId: z.int(),
    issue: z.int(),
    turn: z.int().nullable(),
    type: z.string(),
    data: z.unknown(),
  }),
);

/** Returns the event; null for one of a type that only a newer version knows. */
function decode(row: Readonly<Record<string, unknown>>): RunEventRow | null {
  const { type, data, ...where } = rows.decode(row);
  const event = runEvent.safeParse({ type, data });
  if (event.error?.issues.some(({ path }) => path[0] === "type")) return null;
  if (!event.success) throw new UnreadableRow("run_event", String(where.id), z.prettifyError(event.error));
  return { ...where, event: event.data };
}

/** Stores the events of runs in order of commit: ids only grow, because there is one writer. */
export function runEventTable(db: Kysely<Schema>): RunEventTable {
  return {
    add: async (...added) => {
      const all = added.map(({ event, ...where }) => ({
        ...where,
        type: event.type,
        data: JSON.stringify(event.data),
      }));
      const values = all.flatMap(({ at, repositoryId, issue, agentId, type, data }) => {
        const agent = [agentId, agentId, agentId];
        return [at, repositoryId, issue, ...agent, type, data];
      });
      await keptRows(db, `insert ${all.length} run_events`, values, () => {
        const given = all.map(({ at, repositoryId, issue, agentId, type, data }) => {
          const runId = sql<number>`(SELECT max(id) FROM run WHERE agent_id = ${agentId})`;
          const turn = sql<number>`(SELECT turns FROM agent WHERE id = ${agentId})`;
          return { at, repositoryId, issue, agentId, runId, turn, type, data };
        });
        return db.insertInto("run_event").values(given).compile();
      });
    },
    after: async (id, { limit, agentId }) => {
      for (let from = id; ; ) {
        const all = db.selectFrom("run_event").selectAll().where("id", ">", from).orderBy("id").limit(limit);
        const found = await (agentId === null ? all : all.where("agentId", "=", agentId)).execute();
        const known = found.map(decode).filter((row) => row !== null);
        const last = found.at(-1);
        if (known.length > 0 || last === undefined || last.id <= from) return known;
        from = last.id;
      }
    },
    said: async (agentId, limit) => {
      const found = await db
        .selectFrom("run_event")
        .selectAll()
        .where("agentId", "=", agentId)
        .where("type", "=", "stream:token")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return found
        .map(decode)
        .flatMap((row) => row ?? [])
        .toReversed();
    },
    latest: async () => {
      const { rows: given } = await sql<{ id: number }>`${dialect.lastId("run_event")}`.execute(db);
      return given[0]?.id ?? 0;
    },
    pruneTokens: async ({ before, keep, limit }) => {
      const { numAffectedRows } = await sql`DELETE FROM run_event WHERE id IN (
        SELECT id FROM (
          SELECT id, at, row_number() OVER (PARTITION BY agent_id ORDER BY id DESC) AS place
          FROM run_event WHERE type = 'stream:token') AS token
        WHERE place > ${keep} OR at < ${before} LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
