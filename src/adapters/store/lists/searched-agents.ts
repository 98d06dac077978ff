import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AgentRecord } from "../../../domain/agents/agent-record.ts";
import {
  type AgentSearch,
  areLive,
  type SearchWord,
  spellings,
} from "../../../domain/agents/agent-search.ts";
import type { Listed, OfRepositories, PageOf, Position, SearchPage } from "../../../domain/ports/lists.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";
import { recordCodecs } from "../tables/records.ts";
import { and, type Found, listed } from "./list-parts.ts";

/** The number of agents that one page examines. */
const LOOKED_AT = 2000;

const ID = sql`agent.id`;
const COST = sql`agent.cost_micro_usd`;

interface Wanted {
  readonly search: AgentSearch;
  readonly repositories: OfRepositories;
}

/** Reads a page of the agents that match a search. */
export async function searchedAgents(
  db: Kysely<Schema>,
  wanted: Wanted,
  page: PageOf,
): Promise<SearchPage<AgentRecord>> {
  return wanted.search.order === "costliest" ? byCost(db, wanted, page) : byAge(db, wanted, page);
}

async function byAge(
  db: Kysely<Schema>,
  wanted: Wanted,
  { after, limit }: PageOf,
): Promise<SearchPage<AgentRecord>> {
  const isLatest = wanted.search.order === "latest";
  const { id, among } = sourceOf(wanted.search);
  const [from = isLatest ? Number.MAX_SAFE_INTEGER : 0] = after ?? [];
  const behind = isLatest ? sql`${id} < ${from}` : sql`${id} > ${from}`;
  const order = isLatest ? sql`${id} DESC` : sql`${id}`;
  const [end] = await rowsOf(
    db,
    sql`SELECT agent.id FROM agent WHERE ${among} AND ${behind} ORDER BY ${order} LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
  );
  const last = end === undefined ? null : Number(end["id"]);
  const upTo = last === null ? sql`` : isLatest ? sql`AND ${id} >= ${last}` : sql`AND ${id} <= ${last}`;
  const found = await rowsOf(
    db,
    sql`SELECT agent.* FROM agent WHERE ${among} AND ${behind} ${upTo} ${conditions(wanted)}
      ORDER BY ${order} LIMIT ${limit + 1}`,
  );
  const shown = found.slice(0, limit).map((row) => agentOf(row, ["id"]));
  const isMore = found.length > limit;
  return { rows: shown, next: isMore ? (shown.at(-1)?.position ?? null) : last === null ? null : [last] };
}

/** Sorts only the latest agents, because no index holds what changes with each turn. A position begins with their first id. */
async function byCost(
  db: Kysely<Schema>,
  wanted: Wanted,
  { after, limit }: PageOf,
): Promise<SearchPage<AgentRecord>> {
  const { id, among } = sourceOf(wanted.search);
  const [first = await firstOfLatest(db, wanted.search), cost = Number.MAX_SAFE_INTEGER, of = 0] =
    after ?? [];
  const found = await rowsOf(
    db,
    sql`SELECT agent.* FROM agent WHERE ${among} AND ${id} >= ${first}
      AND (${COST} < ${cost} OR (${COST} = ${cost} AND ${id} < ${of})) ${conditions(wanted)}
      ORDER BY ${COST} DESC, ${id} DESC LIMIT ${limit + 1}`,
  );
  const shown = found.slice(0, limit).map((row): Listed<AgentRecord> => {
    const { row: agent, position } = agentOf(row, ["costMicroUsd", "id"]);
    return { row: agent, position: [first, ...position] };
  });
  return { rows: shown, next: found.length > limit ? (shown.at(-1)?.position ?? null) : null };
}

async function firstOfLatest(db: Kysely<Schema>, search: AgentSearch): Promise<number> {
  const { id, among } = sourceOf(search);
  const [row] = await rowsOf(
    db,
    sql`SELECT agent.id FROM agent WHERE ${among} ORDER BY ${id} DESC LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
  );
  return row === undefined ? 0 : Number(row["id"]);
}

/** Finds agents that have not ended by their state, and sorts them: there are few. Walks all others by their ids. */
function sourceOf({ states }: AgentSearch): {
  readonly id: RawBuilder<unknown>;
  readonly among: RawBuilder<unknown>;
} {
  if (!areLive(states)) return { id: ID, among: sql`true` };
  return { id: dialect.unindexed(ID), among: sql`agent.state IN (${literals(states)})` };
}

function conditions({ search: { states, role, words }, repositories }: Wanted): RawBuilder<unknown> {
  const parts = [
    sql`AND ${dialect.unindexed(sql`agent.state`)} IN (${literals(states)})`,
    ...(role === null ? [] : [sql`AND ${dialect.unindexed(sql`agent.role`)} = ${role}`]),
    ...words.map((word) => sql`AND (${matches(word)})`),
    and("agent", repositories),
  ];
  return sql.join(parts, sql` `);
}

function matches({ text, repositories }: SearchWord): RawBuilder<unknown> {
  const likes = spellings(text).map((form) => `%${form.replaceAll(/[\\%_]/g, "\\$&")}%`);
  const has = (column: RawBuilder<unknown>) =>
    sql`(${sql.join(
      likes.map((like) => sql`lower(${column}) LIKE ${like} ESCAPE '\\'`),
      sql` OR `,
    )})`;
  const parts = [
    ...(/^\d{1,9}$/.test(text) ? [sql`${dialect.unindexed(sql`agent.issue`)} = ${Number(text)}`] : []),
    has(sql`agent.role`),
    ...(repositories.length === 0
      ? []
      : [sql`${dialect.unindexed(sql`agent.repository_id`)} IN ${numbers(repositories)}`]),
    sql`EXISTS (SELECT 1 FROM task WHERE task.repository_id = agent.repository_id AND task.issue = agent.issue
      AND ${has(sql`task.title`)})`,
    sql`EXISTS (SELECT 1 FROM transition AS made ${dialect.byIndex("transition_made")}
      WHERE machine = 'agent' AND event IN ('CREATE', 'REVIVE', 'REOPEN')
        AND ${dialect.sameText(sql`made.actor`, text)} AND made.record_id = agent.id)`,
  ];
  return sql.join(parts, sql` OR `);
}

function literals(states: readonly string[]): RawBuilder<unknown> {
  return sql.join(states.map((state) => sql.lit(state)));
}

function agentOf(
  row: Found,
  key: readonly string[],
): { readonly row: AgentRecord; readonly position: Position } {
  return listed(recordCodecs.agent.decode(row), row, key);
}

async function rowsOf(db: Kysely<Schema>, query: RawBuilder<unknown>): Promise<readonly Found[]> {
  return (await sql<Found>`${query}`.execute(db)).rows;
}
