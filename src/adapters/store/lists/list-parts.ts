import { type RawBuilder, sql } from "kysely";
import type { Listed, OfRepositories } from "../../../domain/ports/lists.ts";
import { dialect, numbers } from "../sql/dialect.ts";

export type Found = Readonly<Record<string, unknown>>;

/**
 * The time at which an agent entered its state, as the domain's `since` defines it; must match the index
 * `agent_since` literally.
 */
export const SINCE = sql<number>`CASE agent.state WHEN 'CREATED' THEN agent.created_at
  WHEN 'ACTIVE' THEN coalesce(agent.active_since, agent.created_at)
  WHEN 'SLEEPING' THEN coalesce(agent.sleeping_since, agent.created_at)
  WHEN 'ESCALATED' THEN coalesce(agent.sleeping_since, agent.created_at)
  ELSE coalesce(agent.ended_at, agent.created_at) END`;

export function behindSince(since: number, id: number): RawBuilder<unknown> {
  return sql`AND ${SINCE} >= ${since} AND (${SINCE} > ${since} OR agent.id > ${id})`;
}

/** Hides the column from the planner: with an index by repository, the rows would have to be sorted. */
export function and(table: string, repositories: OfRepositories): RawBuilder<unknown> {
  if (repositories === null) return sql``;
  const column = sql`${sql.ref(`${table}.repository_id`)}`;
  return sql`AND ${dialect.unindexed(column)} IN ${numbers(repositories)}`;
}

export function listed<Row>(row: Row, found: Found, key: readonly string[]): Listed<Row> {
  return { row, position: key.map((column) => Number(found[column])) };
}
