import { type Kysely, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { DISPLAYS, type Effect, type EffectKind, effect } from "../../../domain/kernel/effect.ts";
import type { EffectRow, NewEffect } from "../../../domain/kernel/rows.ts";
import type { EffectTable } from "../../../domain/ports/store.ts";
import { codec } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";
import { conditions } from "../sql/where.ts";
import { leaseEffects, unsettled } from "./lease-effects.ts";
import { abandonedRows, NO_LEASE } from "./leases.ts";
import { mayBeDoneSince, restoredAfter } from "./restored.ts";

const KINDS: readonly EffectKind[] = effect.options.map(({ shape }) => shape.kind.value);

const STATES = ["pending", "leased", "done", "failed", "skipped"] as const;

const rows = codec<EffectRow>(
  "effect",
  z.object({
    id: z.int(),
    key: z.string(),
    kind: z.enum(KINDS),
    lane: z.string(),
    repositoryId: z.int(),
    issue: z.int(),
    agentId: z.int().nullable(),
    token: z.int().nullable(),
    payload: effect,
    state: z.enum(STATES),
    attempts: z.int(),
    notBefore: z.int(),
    leasedUntil: z.int().nullable(),
    uncertain: z.boolean(),
    lagsUntil: z.int(),
    result: z.unknown(),
    error: z.string().nullable(),
    createdAt: z.int(),
    settledAt: z.int().nullable(),
  }),
);

/**
 * Selects finished refreshes; must match the index `effect_look` literally, else the planner does not use the
 * index.
 */
const REFRESHED = sql<SqlBool>`state = 'done' AND kind IN ('look_at_issue', 'look_at_checks', 'look_at_blockers', 'look_at_review_checks', 'recheck_blocker')`;

export const decodeEffect = (row: Readonly<Record<string, unknown>>): EffectRow => rows.decode(row);

const FRESH: Omit<EffectRow, "id" | "kind" | Exclude<keyof NewEffect, "notBefore">> = {
  state: "pending",
  attempts: 0,
  notBefore: 0,
  leasedUntil: null,
  uncertain: false,
  lagsUntil: 0,
  result: null,
  error: null,
  settledAt: null,
};

/**
 * Returns whether a pending effect of the same kind makes this one unnecessary, since it reads everything
 * when it runs. A refresh for a lost period reads only the comments of that period.
 */
function isStoodFor(payload: Effect): boolean {
  if (payload.kind === "look_at_issue") return payload.lost === undefined;
  return isDisplay(payload) || payload.kind === "look_at_checks" || payload.kind === "look_at_train";
}

function isDisplay({ kind }: Effect): boolean {
  return DISPLAYS.includes(kind);
}

/** Implements the outbox: effects to run, in order within each lane. */
export function effectTable(db: Kysely<Schema>): EffectTable {
  const all = db.selectFrom("effect").selectAll();
  /** The rows that this transaction added, by lane and kind: nobody else sees them yet, so they are pending. */
  const added = new Map<string, { readonly id: number; readonly notBefore: number }>();
  const addOne = async (given: NewEffect, delivery: string | null): Promise<number> => {
    const { lane, key, payload } = given;
    const place = isStoodFor(payload) ? `${payload.kind} ${lane}` : null;
    const known = place === null ? undefined : added.get(place);
    const notBefore = given.notBefore ?? 0;
    if (place !== null && known !== undefined) {
      if (notBefore < known.notBefore) {
        await bringForward(db, known.id, notBefore);
        added.set(place, { id: known.id, notBefore });
      }
      return known.id;
    }
    const columns = { ...rows.encode({ ...FRESH, ...given, kind: payload.kind }), delivery };
    const since = mayBeDoneSince(given.createdAt);
    const stands = place === null ? [] : [lane, payload.kind];
    const shape = `insert effect ${place === null ? "" : "unless one stands for it"} ${Object.keys(columns).join()}`;
    const [row] = await keptRows(
      db,
      shape,
      [...Object.values({ ...columns, uncertain: since }), ...stands],
      () => insertQuery(db, { ...columns, uncertain: restoredAfter(since) }, stands),
    );
    const id = row?.id ?? (await idOf(db, key, stands));
    if (row === undefined && isDisplay(payload)) await bringForward(db, id, notBefore);
    if (place !== null && db.isTransaction) added.set(place, { id, notBefore });
    return id;
  };

  return {
    add: async (effects, delivery = null) => {
      const ids: number[] = [];
      for (const given of effects) ids.push(await addOne(given, delivery));
      return ids;
    },
    lease: async (options) =>
      (await leaseEffects(db, KINDS, options)).map(decodeEffect).toSorted((a, b) => a.id - b.id),
    settle: async (id, token, { state, result, error, at }) => {
      const { numUpdatedRows } = await db
        .updateTable("effect")
        .set({ ...rows.encode({ state, result, error, settledAt: at }), leasedUntil: null, ...NO_LEASE })
        .where("id", "=", id)
        .where("state", "=", "leased")
        .where("leaseToken", "=", token)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    retry: async (id, token, { notBefore, error, uncertain, lagsUntil, countAttempt }) => {
      const { numUpdatedRows } = await db
        .updateTable("effect")
        .set({ state: "pending", leasedUntil: null, notBefore, error, ...NO_LEASE })
        .$if(uncertain, (query) => query.set({ uncertain: 1, lagsUntil }))
        .$if(countAttempt, (query) => query.set({ attempts: sql`attempts + 1` }))
        .where("id", "=", id)
        .where("state", "=", "leased")
        .where("leaseToken", "=", token)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    settleTogether: async (ids, { result, at }) => {
      if (ids.length === 0) return;
      await db
        .updateTable("effect")
        .set(rows.encode({ state: "done", result, error: null, settledAt: at }))
        .where("id", "in", ids)
        .where("state", "=", "pending")
        .execute();
    },
    release: async (token) => {
      await db
        .updateTable("effect")
        .set({ state: "pending", leasedUntil: null, ...NO_LEASE })
        .where("state", "=", "leased")
        .where("leaseToken", "=", token)
        .execute();
    },
    get: async (id) => {
      const row = await all.where("id", "=", id).executeTakeFirst();
      return row && decodeEffect(row);
    },
    find: async (where) =>
      (
        await all
          .where((eb) => eb.and(conditions(rows, where)))
          .orderBy("id")
          .execute()
      ).map(decodeEffect),
    latest: async (lane, kind, states) => {
      // A database may refuse a forced index if the condition can never hold.
      if (states?.length === 0) return undefined;
      const among = sql.join(states ?? STATES);
      const { rows: found } = await sql<
        Record<string, unknown>
      >`SELECT * FROM effect ${dialect.byIndex("effect_shown")}
        WHERE kind IN ('status_comment', 'react') AND lane = ${lane} AND kind = ${kind} AND state IN (${among})
        ORDER BY id DESC LIMIT 1`.execute(db);
      return found[0] && decodeEffect(found[0]);
    },
    openedFor: async (repositoryId, issue) => {
      const { rows: found } = await sql<{
        issue: number;
      }>`SELECT issue FROM effect ${dialect.byIndex("effect_opened_issue")}
        WHERE kind IN ('create_blocker_issue', 'create_sub_issue') AND repository_id = ${repositoryId}
          AND ${dialect.numberIn(sql`result`, "number")} = ${issue}
        ORDER BY id DESC LIMIT 1`.execute(db);
      return found[0]?.issue;
    },
    replay: async (id) => {
      const { numUpdatedRows } = await db
        .updateTable("effect")
        .set({ state: "pending", uncertain: 1, notBefore: 0, attempts: 0, settledAt: null })
        .where("id", "=", id)
        .where("state", "=", "failed")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    dropRefreshes: async (before, limit) => {
      // Without the hint, a planner uses the index of states, and reads and sorts all effects ever done.
      const { numAffectedRows } = await sql`DELETE FROM effect WHERE id IN (
        SELECT id FROM effect ${dialect.byIndex("effect_look")}
        WHERE ${REFRESHED} AND settled_at < ${before} ORDER BY settled_at LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
    reclaim: async ({ lagsUntil, kinds, ...abandoned }) => {
      const { numUpdatedRows } = await db
        .updateTable("effect")
        .set({ state: "pending", leasedUntil: null, uncertain: 1, lagsUntil, ...NO_LEASE })
        .where("state", "=", "leased")
        .where(abandonedRows(abandoned, kinds))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

/** Returns the condition that a pending effect of this kind waits in this lane. */
const waits = (lane: string, kind: string) =>
  sql<SqlBool>`lane = ${lane} and ${unsettled("effect")} and kind = ${kind} and state = 'pending'`;

/** `stands`: lane and kind of a pending effect instead of which none is inserted; empty for none. */
function insertQuery(
  db: Kysely<Schema>,
  columns: Readonly<Record<string, unknown>>,
  [lane, kind]: readonly string[],
) {
  const names = Object.keys(columns).map((column) => sql.ref(column));
  const condition =
    lane === undefined || kind === undefined
      ? sql`true`
      : sql`not exists (select 1 from effect where ${waits(lane, kind)})`;
  return sql<{ id: number }>`insert into effect (${sql.join(names)})
    select ${sql.join(Object.values(columns))} where ${condition}
    on conflict (key) do nothing returning id`.compile(db);
}

/** Returns the id of the effect that is there instead of a new one. */
async function idOf(db: Kysely<Schema>, key: string, [lane, kind]: readonly string[]): Promise<number> {
  const waiting =
    lane === undefined || kind === undefined
      ? undefined
      : await db.selectFrom("effect").select("id").where(waits(lane, kind)).executeTakeFirst();
  const row =
    waiting ?? (await db.selectFrom("effect").select("id").where("key", "=", key).executeTakeFirst());
  if (row === undefined) throw new Error(`the effect ${key} was not stored`);
  return row.id;
}

/** Lets a display that was put off come as early as this; one that waits for a limit or for its next try stays. */
async function bringForward(db: Kysely<Schema>, id: number, notBefore: number): Promise<void> {
  await db
    .updateTable("effect")
    .set({ notBefore })
    .where("id", "=", id)
    .where("state", "=", "pending")
    .where("notBefore", ">", notBefore)
    .where("error", "is", null)
    .execute();
}
