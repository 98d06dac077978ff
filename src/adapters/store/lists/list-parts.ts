import { type RawBuilder, sql } from "kysely";
import type { Listed, OfRepositories } from "../../../domain/ports/lists.ts";

export type Found = Readonly<Record<string, unknown>>;

/** When an agent came to its state, as `since` of the core says; word for word as in the index `agent_since`. */
export const SINCE = sql<number>`CASE agent.state WHEN 'CREATED' THEN agent.created_at
  WHEN 'ACTIVE' THEN coalesce(agent.active_since, agent.created_at)
  WHEN 'SLEEPING' THEN coalesce(agent.sleeping_since, agent.created_at)
  WHEN 'ESCALATED' THEN coalesce(agent.sleeping_since, agent.created_at)
  ELSE coalesce(agent.ended_at, agent.created_at) END`;

export function behindSince(since: number, id: number): RawBuilder<unknown> {
  return sql`AND ${SINCE} >= ${since} AND (${SINCE} > ${since} OR agent.id > ${id})`;
}

/** The unary plus keeps SQLite from an index by repository, whose rows it would have to sort. */
export function and(table: string, repositories: OfRepositories): RawBuilder<unknown> {
  if (repositories === null) return sql``;
  const column = sql.ref(`${table}.repository_id`);
  return sql`AND +${column} IN ${all(repositories)}`;
}

export function all(values: readonly number[]): RawBuilder<unknown> {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

export function listed<Row>(row: Row, found: Found, key: readonly string[]): Listed<Row> {
  return { row, position: key.map((column) => Number(found[column])) };
}
