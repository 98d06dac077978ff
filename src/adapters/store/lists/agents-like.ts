import { type Kysely, type RawBuilder, sql } from "kysely";
import { type AgentFilter, isByState } from "../../../domain/agents/agent-filter.ts";
import { AGENT_STATES, type AgentRecord, LIVE_AGENT_STATES } from "../../../domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../domain/agents/run.ts";
import type {
  AgentWithPhase,
  Listed,
  OfRepositories,
  PageOf,
  Position,
  SearchPage,
} from "../../../domain/ports/lists.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { recordCodecs } from "../tables/records.ts";
import { and, behindSince, type Found, listed, SINCE } from "./list-parts.ts";

/**
 * The number of agents that one statement examines: a page of rare matches ends there, and the next page
 * continues after it.
 */
const LOOKED_AT = 2000;

const PHASE = sql`(SELECT run.state FROM run WHERE run.agent_id = agent.id ORDER BY run.id DESC LIMIT 1)`;

/** The state of the agent's latest session, as stored; `unspecified` before the first one. */
const CONVERSATION = sql`coalesce((SELECT session.state FROM session WHERE session.agent_id = agent.id
  ORDER BY session.id DESC LIMIT 1), 'unspecified')`;

const COLUMNS = sql`SELECT agent.*, ${SINCE} AS since, ${PHASE} AS phase`;

const MADE = sql`machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN')`;

const MOVES = sql`transition ${dialect.byIndex("transition_made")}`;

/** Lists live agents first, because most filters match only those. */
const IN_TURN: readonly AgentRecord["state"][] = [
  ...LIVE_AGENT_STATES,
  ...AGENT_STATES.filter((state) => !LIVE_AGENT_STATES.some((live) => live === state)),
];

/** A table with its condition in the order of an index, and the column with the agents' ids. */
interface Source {
  readonly from: RawBuilder<unknown>;
  readonly joined: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
}

/** Reads a page of the agents that match a filter. */
export async function agentsLike(
  db: Kysely<Schema>,
  wanted: { readonly filter: AgentFilter; readonly repositories: OfRepositories },
  page: PageOf,
): Promise<SearchPage<AgentWithPhase>> {
  return isByState(wanted.filter) ? byState(db, wanted, page) : byId(db, wanted, page);
}

async function byId(
  db: Kysely<Schema>,
  { filter, repositories }: { readonly filter: AgentFilter; readonly repositories: OfRepositories },
  page: PageOf,
): Promise<SearchPage<AgentWithPhase>> {
  const { from, joined, where, id } = sourceOf(filter);
  const [after = 0] = page.after ?? [];
  const ids = await rowsOf(
    db,
    sql`SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${id} > ${after}
      ORDER BY ${id} LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
  );
  const last = ids[0] === undefined ? null : Number(ids[0]["id"]);
  const found = await rowsOf(
    db,
    sql`${COLUMNS} FROM ${joined} WHERE ${where} AND ${id} > ${after}
      AND ${id} <= ${last ?? Number.MAX_SAFE_INTEGER} ${conditions(filter)} ${and("agent", repositories)}
      ORDER BY ${id} LIMIT ${page.limit + 1}`,
  );
  const rows = found.map((row) => listed(withPhase(row), row, ["id"]));
  return pageOf(rows, page.limit, last === null ? null : [last]);
}

/**
 * Chooses the filter's first rare property to find agents by; the other properties are checked for each agent
 * found.
 */
function sourceOf({ tags = [], labels = [], by }: AgentFilter): Source {
  const [name] = namesOf({ tags, labels });
  if (name !== undefined)
    return {
      from: sql`agent_mark`,
      joined: sql`agent_mark ${dialect.joinInOrder()} agent ON agent.id = agent_mark.agent_id`,
      where: sql`agent_mark.mark = ${name}`,
      id: sql`agent_mark.agent_id`,
    };
  if (by !== undefined)
    return {
      from: MOVES,
      joined: sql`${MOVES} ${dialect.joinInOrder()} agent ON agent.id = transition.record_id`,
      where: sql`${MADE} AND ${dialect.sameText(sql`transition.actor`, by)}`,
      id: sql`transition.record_id`,
    };
  return { from: sql`agent`, joined: sql`agent`, where: sql`true`, id: sql`agent.id` };
}

/**
 * Pages through the agents of one state in the order of their time in it; through several states one after
 * the other.
 */
async function byState(
  db: Kysely<Schema>,
  { filter, repositories }: { readonly filter: AgentFilter; readonly repositories: OfRepositories },
  page: PageOf,
): Promise<SearchPage<AgentWithPhase>> {
  const { state } = filter;
  const only = state?.run === null && state.session === null ? state.agent : null;
  const [first = 0, since = -1, id = 0] = page.after ?? [];
  const rows: Listed<AgentWithPhase>[] = [];
  for (const [index, each] of IN_TURN.entries()) {
    if (index < first || (only !== null && each !== only)) continue;
    const behind = index === first ? behindSince(since, id) : sql``;
    const of = sql`FROM agent WHERE agent.state = ${sql.lit(each)} ${behind}`;
    const order = sql`ORDER BY ${SINCE}, agent.id`;
    const [end] = await rowsOf(
      db,
      sql`SELECT ${SINCE} AS since, agent.id ${of} ${order} LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
    );
    const last: Position | null = end === undefined ? null : [index, Number(end["since"]), Number(end["id"])];
    const found = await rowsOf(
      db,
      sql`${COLUMNS} ${of} ${last === null ? sql`` : upTo(last)} ${conditions(filter)}
        ${and("agent", repositories)} ${order} LIMIT ${page.limit + 1 - rows.length}`,
    );
    for (const row of found)
      rows.push({ row: withPhase(row), position: [index, Number(row["since"]), Number(row["id"])] });
    if (rows.length > page.limit || last !== null) return pageOf(rows, page.limit, last);
  }
  return pageOf(rows, page.limit, null);
}

function upTo([, since = 0, id = 0]: Position): RawBuilder<unknown> {
  return sql`AND ${SINCE} <= ${since} AND (${SINCE} < ${since} OR agent.id <= ${id})`;
}

/**
 * Returns the rows to show and where the next page begins: after those rows, or after all that were examined.
 */
function pageOf(
  rows: readonly Listed<AgentWithPhase>[],
  limit: number,
  last: Position | null,
): SearchPage<AgentWithPhase> {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.position ?? null) : last };
}

/** Hides these columns from the planner: with an index on one of them, the rows would have to be sorted. */
function conditions(filter: AgentFilter): RawBuilder<unknown> {
  const { state, role, mode, by } = filter;
  const parts = [
    ...(state === undefined ? [] : [sql`(${sql.join(standsSo(state), sql` OR `)})`]),
    ...(role === undefined ? [] : [sql`${dialect.unindexed(sql`agent.role`)} = ${role}`]),
    ...(mode === undefined ? [] : [sql`${dialect.unindexed(sql`agent.mode`)} = ${mode}`]),
    ...namesOf(filter).map(
      (name) =>
        sql`EXISTS (SELECT 1 FROM agent_mark AS own WHERE own.mark = ${name} AND own.agent_id = agent.id)`,
    ),
    ...(by === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM transition AS made ${dialect.byIndex("transition_made")}
            WHERE ${MADE} AND ${dialect.sameText(sql`made.actor`, by)} AND made.record_id = agent.id)`,
        ]),
  ];
  return parts.length === 0 ? sql`` : sql`AND ${sql.join(parts, sql` AND `)}`;
}

function standsSo({
  agent,
  run,
  session,
}: NonNullable<AgentFilter["state"]>): readonly RawBuilder<unknown>[] {
  return [
    ...(agent === null ? [] : [sql`${dialect.unindexed(sql`agent.state`)} = ${agent}`]),
    ...(run === null ? [] : [sql`${PHASE} = ${run}`]),
    ...(session === null ? [] : [sql`${CONVERSATION} = ${session}`]),
  ];
}

function namesOf({ tags = [], labels = [] }: Pick<AgentFilter, "tags" | "labels">): readonly string[] {
  return [...tags.map((tag) => `tag:${tag}`), ...labels.map((label) => `label:${label}`)];
}

function withPhase(row: Found): AgentWithPhase {
  return {
    agent: recordCodecs.agent.decode(row),
    phase: RUN_STATES.find((state) => state === row["phase"]) ?? null,
  };
}

async function rowsOf(db: Kysely<Schema>, query: RawBuilder<unknown>): Promise<readonly Found[]> {
  return (await sql<Found>`${query}`.execute(db)).rows;
}
