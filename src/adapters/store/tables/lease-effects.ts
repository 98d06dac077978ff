import { type Kysely, type SqlBool, sql } from "kysely";
import { SHUT_HOLDERS } from "../../../domain/breakers/scope.ts";
import type { LeftOut } from "../../../domain/kernel/claim-turns.ts";
import { ANSWERS, AT_ITS_NODE, DISPLAYS, type EffectKind } from "../../../domain/kernel/effect.ts";
import type { Lease } from "../../../domain/kernel/rows.ts";
import type { EffectTable } from "../../../domain/ports/store.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";
import { exceptValues, isNotExcept } from "./leases.ts";

/** Must match the condition of the index `effect_unsettled` literally, else the planner does not use the index. */
export const unsettled = (table: "effect" | "earlier") =>
  sql<SqlBool>`${sql.ref(`${table}.state`)} in ('pending', 'leased')`;

const answers = sql.join(ANSWERS.map((kind) => sql.lit(kind)));

const displays = sql.join(DISPLAYS.map((kind) => sql.lit(kind)));

/** Leaves out displays that were put off; one that waits for a limit or for its next try keeps its place. */
const isInTheWay = (table: "earlier" | "head", now: number) =>
  sql<SqlBool>`(${sql.ref(`${table}.not_before`)} <= ${now} or ${sql.ref(`${table}.error`)} is not null
    or ${sql.ref(`${table}.kind`)} not in (${displays}))`;

/** Tests for an answer behind the first effect of its lane while that effect waits. */
const passes = (now: number) =>
  sql<SqlBool>`kind in (${answers}) and (select head.not_before from effect as head where head.lane = effect.lane
    and head.state in ('pending', 'leased') and ${isInTheWay("head", now)} order by head.id limit 1) > ${now}`;

/** Leaves what a newer version asks for to those that know it. No index is used for it: others are narrower. */
const isKnown = (kinds: readonly EffectKind[]) =>
  sql<SqlBool>`${dialect.unindexed(sql.ref("effect.kind"))} in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`;

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

/** Leases effects, see `EffectTable`; returns their rows as stored. `known` = the kinds that this version knows. */
export async function leaseEffects(
  db: Kysely<Schema>,
  known: readonly EffectKind[],
  { now, leaseMs, limit, ...options }: Parameters<EffectTable["lease"]>[0],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { lane, token, node, presentSince, isLeaving = false, kinds, except = null } = options;
  const ends = [...Map.groupBy(known, leaseMs)].map(([ms, some]) => ({ kinds: some, until: now + ms }));
  const shape = `lease ${lane === undefined ? "" : "in a lane"} ${presentSince === undefined ? "" : "beside others"} ${isLeaving ? "own" : ""} ${except === null ? "" : "except some"} ${kinds?.join() ?? "all"} ${ends.map((end) => end.kinds.join()).join(" ")}`;
  const before = ["leased", token, node, ...ends.map(({ until }) => until), "pending", now];
  const inLane = lane === undefined ? [] : [lane];
  const others = presentSince === undefined ? [] : [node, presentSince];
  const own = isLeaving ? [node] : [];
  const left = except === null ? [] : exceptValues(except);
  const after = [...SHUT_HOLDERS, ...others, ...own, ...left, limit];
  const values = [...before, ...inLane, "leased", now, now, now, now, "issue:%", ...after];
  return keptRows(db, shape, values, () =>
    leaseQuery(db, { known, now, ends, limit, lane, token, node, presentSince, isLeaving, kinds, except }),
  );
}

interface Leasing extends Lease {
  /** The kinds that this version knows. */
  readonly known: readonly EffectKind[];
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
  const {
    known,
    now,
    ends,
    limit,
    lane,
    token,
    node,
    presentSince,
    isLeaving,
    kinds: only,
    except,
  } = leasing;
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
    .where(isKnown(known))
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
        .where(unsettled("earlier"))
        .where(isInTheWay("earlier", now));
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
