import { type Kysely, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { SHUT_HOLDERS } from "../../../domain/breakers/scope.ts";
import type { LeftOut } from "../../../domain/kernel/claim-turns.ts";
import { ANSWERS, AT_ITS_NODE, type Effect, type EffectKind, effect } from "../../../domain/kernel/effect.ts";
import type { EffectRow, Lease, NewEffect } from "../../../domain/kernel/rows.ts";
import type { EffectTable } from "../../../domain/ports/store.ts";
import { codec } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";
import { conditions } from "../sql/where.ts";
import { abandonedRows, exceptValues, isNotExcept, NO_LEASE } from "./leases.ts";
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

/** Must match the condition of the index `effect_unsettled` literally, else the planner does not use the index. */
const unsettled = (table: "effect" | "earlier") =>
  sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'leased')`;

const answers = sql.join(ANSWERS.map((kind) => sql.lit(kind)));

/** Tests for an answer behind the first effect of its lane while that effect waits. */
const passes = (now: number) =>
  sql<SqlBool>`kind in (${answers}) and (select head.not_before from effect as head where head.lane = effect.lane
    and head.state in ('pending', 'leased') order by head.id limit 1) > ${now}`;

/** Leaves what a newer version asks for to those that know it. No index is used for it: others are narrower. */
const isKnown = sql<SqlBool>`${dialect.unindexed(sql.ref("effect.kind"))} in (${sql.join(KINDS.map((kind) => sql.lit(kind)))})`;

const atItsNode = sql.join(AT_ITS_NODE.map((kind) => sql.lit(kind)));

/** Selects what only this node has to carry out. */
const isOwn = (node: string) =>
  sql<SqlBool>`(kind in (${atItsNode}) and exists (
    select 1 from agent where agent.id = effect.agent_id and agent.node = ${node}))`;

/** Excludes what another node that runs has to carry out. */
const isOwnOrAnyones = (node: string, presentSince: number) =>
  sql<SqlBool>`(kind not in (${atItsNode}) or not exists (
    select 1 from agent join node on node.name = agent.node where agent.id = effect.agent_id
      and agent.node <> ${node} and node.stopped = 0 and node.seen_at > ${presentSince}
      and node.roles like '%runner%'))`;

/** Keeps answers in order among themselves, whether the first of them waits or not. */
const isAnswer = sql<SqlBool>`earlier.kind in (${answers})`;

/**
 * Returns whether a pending effect of the same kind makes this one unnecessary, since it reads everything
 * when it runs. A refresh for a lost period reads only the comments of that period.
 */
function isStoodFor(payload: Effect): boolean {
  if (payload.kind === "look_at_issue") return payload.lost === undefined;
  return ["status_comment", "task_label", "look_at_checks", "look_at_train"].includes(payload.kind);
}

/** Implements the outbox: effects to run, in order within each lane. */
export function effectTable(db: Kysely<Schema>): EffectTable {
  const all = db.selectFrom("effect").selectAll();
  /** The rows that this transaction added, by lane and kind: nobody else sees them yet, so they are pending. */
  const added = new Map<string, number>();
  const addOne = async (given: NewEffect, delivery: string | null): Promise<number> => {
    const { lane, key, payload } = given;
    const place = isStoodFor(payload) ? `${payload.kind} ${lane}` : null;
    const known = place === null ? undefined : added.get(place);
    if (known !== undefined) return known;
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
    if (place !== null && db.isTransaction) added.set(place, id);
    return id;
  };

  return {
    add: async (effects, delivery = null) => {
      const ids: number[] = [];
      for (const given of effects) ids.push(await addOne(given, delivery));
      return ids;
    },
    lease: async ({ now, leaseMs, limit, ...options }) => {
      const { lane, token, node, presentSince, isLeaving = false, kinds, except = null } = options;
      const ends = [...Map.groupBy(KINDS, leaseMs)].map(([ms, some]) => ({ kinds: some, until: now + ms }));
      const shape = `lease ${lane === undefined ? "" : "in a lane"} ${presentSince === undefined ? "" : "beside others"} ${isLeaving ? "own" : ""} ${except === null ? "" : "except some"} ${kinds?.join() ?? "all"} ${ends.map((end) => end.kinds.join()).join(" ")}`;
      const before = ["leased", token, node, ...ends.map(({ until }) => until), "pending", now];
      const inLane = lane === undefined ? [] : [lane];
      const others = presentSince === undefined ? [] : [node, presentSince];
      const own = isLeaving ? [node] : [];
      const left = except === null ? [] : exceptValues(except);
      const after = [...SHUT_HOLDERS, ...others, ...own, ...left, limit];
      const values = [...before, ...inLane, "leased", now, "issue:%", ...after];
      const leased = await keptRows(db, shape, values, () =>
        leaseQuery(db, { now, ends, limit, lane, token, node, presentSince, isLeaving, kinds, except }),
      );
      return leased.map(decodeEffect).toSorted((a, b) => a.id - b.id);
    },
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

interface Leasing extends Lease {
  readonly now: number;
  /** When the lease of each kind ends. */
  readonly ends: readonly { readonly kinds: readonly EffectKind[]; readonly until: number }[];
  readonly limit: number;
  readonly lane: string | undefined;
  readonly presentSince: number | undefined;
  readonly isLeaving: boolean;
  readonly kinds: readonly EffectKind[] | undefined;
  readonly except: LeftOut | null;
}

function leaseQuery(db: Kysely<Schema>, leasing: Leasing) {
  const { now, ends, limit, lane, token, node, presentSince, isLeaving, kinds: only, except } = leasing;
  const shut = db
    .selectFrom("scope_pause")
    .select("scope_pause.id")
    .where(sql<SqlBool>`scope = 'repository:' || ${sql.ref("effect.repositoryId")}`)
    .where("holder", "in", SHUT_HOLDERS);
  // An effect that overtook the first of its lane is leased while the first one waits.
  const busy = db.selectFrom("effect").select("lane").where("state", "=", "leased");
  const due = db
    .selectFrom("effect")
    .select("id")
    .where("state", "=", "pending")
    .where("notBefore", "<=", now)
    .where(isKnown)
    .$if(only !== undefined, (query) =>
      query.where(sql<SqlBool>`kind in (${sql.join((only ?? []).map((kind) => sql.lit(kind)))})`),
    )
    .$if(lane !== undefined, (query) => query.where("lane", "=", lane ?? ""))
    .where("lane", "not in", busy)
    .where((eb) => {
      const earlier = eb
        .selectFrom("effect as earlier")
        .select("earlier.id")
        .whereRef("earlier.lane", "=", "effect.lane")
        .whereRef("earlier.id", "<", "effect.id")
        .where(unsettled("earlier"));
      return eb.or([
        eb.not(eb.exists(earlier)),
        eb.and([passes(now), eb.not(eb.exists(earlier.where(isAnswer)))]),
      ]);
    })
    .where((eb) => eb.or([eb("lane", "not like", "issue:%"), eb.not(eb.exists(shut))]))
    .$if(presentSince !== undefined, (query) => query.where(isOwnOrAnyones(node, presentSince ?? 0)))
    .$if(isLeaving, (query) => query.where(isOwn(node)))
    .where(isNotExcept(except, sql.ref("effect.repositoryId")))
    .orderBy("id")
    .limit(limit)
    .modifyEnd(dialect.skippingLocked());
  const cases = ends.map(
    ({ kinds, until }) =>
      sql`when kind in (${sql.raw(kinds.map((kind) => `'${kind}'`).join())}) then cast(${until} as bigint)`,
  );
  return db
    .updateTable("effect")
    .set({
      state: "leased",
      leaseToken: token,
      leaseNode: node,
      leasedUntil: sql`case ${sql.join(cases, sql` `)} end`,
    })
    .where(sql<SqlBool>`${dialect.among(sql.ref("id"), due)}`)
    .returningAll()
    .compile();
}
