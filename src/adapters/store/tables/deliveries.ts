import { type Kysely, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { DeliveryRow } from "../../../domain/kernel/rows.ts";
import type { DeliveryTable } from "../../../domain/ports/store.ts";
import { codec } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";
import { conditions } from "../sql/where.ts";
import { abandonedRows, isNotExcept, NO_LEASE } from "./leases.ts";

const rows = codec<DeliveryRow>(
  "delivery",
  z.object({
    guid: z.string(),
    seq: z.int(),
    event: z.string(),
    action: z.string().nullable(),
    installationId: z.int().nullable(),
    repositoryId: z.int().nullable(),
    lane: z.string(),
    payload: z.string(),
    state: z.enum(["pending", "claimed", "done", "ignored", "dead"]),
    attempts: z.int(),
    notBefore: z.int(),
    note: z.string().nullable(),
    receivedAt: z.int(),
    settledAt: z.int().nullable(),
  }),
  "guid",
);

export const decodeDelivery = (row: Readonly<Record<string, unknown>>): DeliveryRow => rows.decode(row);

/**
 * Limits the bytes of bodies that one statement deletes, including the row that exceeds the limit, because
 * every freed page is read.
 */
const BYTES_AT_ONCE = 4 * 2 ** 20;
/** Rows per statement; some databases bind at most 32,766 values. */
const CHUNK = 1000;
const UNCLAIMED = { ...NO_LEASE, leasedUntil: null } as const;
const PENDING = { state: "pending", attempts: 0, notBefore: 0, note: null, settledAt: null } as const;
/**
 * Must match the condition of the index `delivery_unsettled` literally, else the planner does not use the index.
 */
const unsettledEarlier = sql<SqlBool>`earlier.state in ('pending', 'claimed')`;

/** Must match the index `delivery_with_payload` literally. */
const withPayload = sql<SqlBool>`state in ('done', 'ignored') and payload != ''`;

/** Implements the inbox: webhooks from GitHub, in order within each lane. */
export function deliveryTable(db: Kysely<Schema>): DeliveryTable {
  return {
    insert: async (deliveries) => {
      const news = [...new Map(deliveries.map((delivery) => [delivery.guid, delivery])).values()];
      const columns = news.map((delivery) => rows.encode({ ...delivery, ...PENDING }));
      const insert = async (connection: Kysely<Schema>) => {
        for (let start = 0; start < columns.length; start += CHUNK) {
          await connection
            .insertInto("delivery")
            .values(columns.slice(start, start + CHUNK))
            .onConflict((conflict) =>
              conflict.column("guid").doUpdateSet(PENDING).where("delivery.state", "=", "dead"),
            )
            .execute();
        }
      };
      await (db.isTransaction ? insert(db) : db.transaction().execute(insert));
    },
    claim: async ({ now, leaseMs, limit, token, node, except = null }) => {
      const due = db
        .selectFrom("delivery")
        .select("seq")
        .where("state", "=", "pending")
        .where("notBefore", "<=", now)
        .where(isNotExcept(except, dialect.deliveryRepository()))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("delivery as earlier")
                .select("earlier.seq")
                .whereRef("earlier.lane", "=", "delivery.lane")
                .whereRef("earlier.seq", "<", "delivery.seq")
                .where(unsettledEarlier),
            ),
          ),
        )
        .orderBy("seq")
        .limit(limit)
        .modifyEnd(dialect.skippingLocked());
      const claimed = await db
        .updateTable("delivery")
        .set({ state: "claimed", leaseToken: token, leaseNode: node, leasedUntil: now + leaseMs })
        .where(sql<SqlBool>`${dialect.among(sql.ref("seq"), due)}`)
        .returningAll()
        .execute();
      return claimed.map(decodeDelivery).toSorted((a, b) => a.seq - b.seq);
    },
    release: async (token) => {
      await db
        .updateTable("delivery")
        .set({ state: "pending", ...UNCLAIMED })
        .where("state", "=", "claimed")
        .where("leaseToken", "=", token)
        .execute();
    },
    settle: async (guid, token, state, note, at) => {
      const given = { state, note, settledAt: at, ...UNCLAIMED };
      const values = [...Object.values(given), guid, "claimed", token];
      const settled = await keptRows(db, "settle delivery", values, () =>
        db
          .updateTable("delivery")
          .set(given)
          .where("guid", "=", guid)
          .where("state", "=", "claimed")
          .where("leaseToken", "=", token)
          .returning("seq")
          .compile(),
      );
      return settled.length > 0;
    },
    retry: async (guid, token, { notBefore, note, countAttempt }) => {
      const { numUpdatedRows } = await db
        .updateTable("delivery")
        .set({ state: "pending", notBefore, note, ...UNCLAIMED })
        .$if(countAttempt, (query) => query.set({ attempts: sql`attempts + 1` }))
        .where("guid", "=", guid)
        .where("state", "=", "claimed")
        .where("leaseToken", "=", token)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    get: async (guid) => {
      const row = await db.selectFrom("delivery").selectAll().where("guid", "=", guid).executeTakeFirst();
      return row && decodeDelivery(row);
    },
    list: async (where, limit) => {
      const found = await db
        .selectFrom("delivery")
        .select(["guid", "seq", "event", "action", "installationId", "repositoryId", "lane", "state"])
        .select(["attempts", "notBefore", "note", "receivedAt", "settledAt"])
        .select(sql.lit("").as("payload"))
        .where((eb) => eb.and(conditions(rows, where)))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return found.map(decodeDelivery);
    },
    replay: async (guid) => {
      const { numUpdatedRows } = await db
        .updateTable("delivery")
        .set(PENDING)
        .where("guid", "=", guid)
        .where("state", "in", ["done", "ignored", "dead"])
        .where("payload", "!=", "")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    dropPayloads: async (before, limit) => {
      const { numAffectedRows } = await sql`UPDATE delivery SET payload = '' WHERE seq IN (
        SELECT seq FROM (
          SELECT seq, sum(octet_length(payload)) OVER (ORDER BY settled_at, seq) - octet_length(payload) AS ahead
          FROM delivery ${dialect.byIndex("delivery_with_payload")}
          WHERE settled_at < ${before} AND ${withPayload} ORDER BY settled_at, seq LIMIT ${limit}) AS aged
        WHERE ahead < ${BYTES_AT_ONCE})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
    reclaim: async (abandoned) => {
      const { numUpdatedRows } = await db
        .updateTable("delivery")
        .set({ state: "pending", ...UNCLAIMED })
        .where("state", "=", "claimed")
        .where(abandonedRows(abandoned))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    known: async (guids) => {
      const found = new Set<string>();
      for (let start = 0; start < guids.length; start += CHUNK) {
        const some = guids.slice(start, start + CHUNK);
        const here = await db.selectFrom("delivery").select("guid").where("guid", "in", some).execute();
        for (const { guid } of here) found.add(guid);
      }
      return found;
    },
  };
}
