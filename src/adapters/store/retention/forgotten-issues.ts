import { type Kysely, type RawBuilder, sql } from "kysely";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

/** Tables with rows of a task, then of an agent. Referencing rows come before those that they reference. */
const OF_TASK = "verdict review_lease check_attempt";
const OF_AGENT =
  "evidence screen intent question approval tool_call handoff progress wake usage run_event archive effect session run";
/** Tables with rows of an issue. What was read of the issue on GitHub has walks of its own. */
const OF_ISSUE = "decision transition";
/** The number of issues per transaction: each takes about thirty statements, however few rows it has. */
const ISSUES_AT_ONCE = 3;

interface Issue {
  readonly repositoryId: number;
  readonly issue: number;
}

/** The rows of a table through which issues are found, and the condition under which an issue may go. */
interface Slice {
  readonly table: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly gone: RawBuilder<unknown>;
}

/**
 * Returns the condition under which the issue of an ended agent may go: all its agents ended before then, no
 * effect is pending, no work is kept on disk, and nothing live references them.
 */
export const endedBefore = (before: number): RawBuilder<unknown> => sql`agent.ended_at < ${before}
  AND NOT EXISTS (SELECT 1 FROM agent AS mate WHERE mate.repository_id = agent.repository_id
    AND mate.issue = agent.issue AND (mate.ended_at >= ${before} OR mate.worktree_path IS NOT NULL
      OR EXISTS (SELECT 1 FROM effect WHERE effect.agent_id = mate.id AND effect.state IN ('pending', 'leased'))
      OR EXISTS (SELECT 1 FROM archive WHERE archive.agent_id = mate.id AND archive.removed_at IS NULL)
      OR EXISTS (SELECT 1 FROM incident WHERE incident.probe_agent_id = mate.id AND incident.state = 'open')
      OR EXISTS (SELECT 1 FROM agent AS child WHERE child.parent_agent_id = mate.id AND child.ended_at IS NULL)))`;

/**
 * Deletes everything about issues found in `(from, to]`: at most `limit` rows of three issues in one
 * transaction. Later calls finish an issue with more rows. Resolves with the last row handled.
 */
export async function forgetIssues(
  db: Kysely<Schema>,
  slice: Slice,
): Promise<{ readonly to: number; readonly deleted: number; readonly whole: boolean }> {
  const { table, from, to, limit, gone } = slice;
  const { rows } = await sql<Issue & { first: number }>`
    SELECT min(id) AS first, repository_id, issue FROM ${sql.table(table)}
    WHERE id > ${from} AND id <= ${to} AND ${gone}
    GROUP BY repository_id, issue ORDER BY 1 LIMIT ${ISSUES_AT_ONCE}`.execute(db);
  if (rows.length === 0) return { to, deleted: 0, whole: true };
  const forgetAll = async (trx: Kysely<Schema>) => {
    let left = limit;
    for (const issue of rows) {
      left -= await forget(trx, issue, left);
      if (left <= 0) return { to: issue.first - 1, deleted: limit, whole: false };
    }
    const whole = rows.length < ISSUES_AT_ONCE;
    return { to: whole ? to : (rows.at(-1)?.first ?? to), deleted: limit - left, whole };
  };
  return db.isTransaction ? forgetAll(db) : db.transaction().execute(forgetAll);
}

/** Deletes up to `limit` rows and returns their number; a smaller number means that the issue is gone. */
async function forget(db: Kysely<Schema>, { repositoryId, issue }: Issue, limit: number): Promise<number> {
  const here = sql`repository_id = ${repositoryId} AND issue = ${issue}`;
  const agents = sql`(SELECT id FROM agent WHERE ${here})`;
  const tasks = sql`(SELECT id FROM task WHERE ${here})`;
  const parts: readonly (readonly [tables: string, condition: RawBuilder<unknown>])[] = [
    [OF_TASK, sql`task_id IN ${tasks}`],
    [OF_AGENT, sql`agent_id IN ${agents}`],
    [OF_ISSUE, here],
  ];
  let left = limit;
  const remove = async (table: string, condition: RawBuilder<unknown>): Promise<void> => {
    if (left <= 0) return;
    const row = dialect.arrival(table);
    const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE ${row} IN
      (SELECT ${row} FROM ${sql.table(table)} WHERE ${condition} LIMIT ${left})`.execute(db);
    left -= Number(numAffectedRows ?? 0n);
  };
  for (const [tables, condition] of parts)
    for (const table of tables.split(" ")) await remove(table, condition);
  if (left <= 0) return limit;
  await sql`UPDATE incident SET probe_agent_id = NULL WHERE probe_agent_id IN ${agents}`.execute(db);
  await sql`UPDATE agent SET parent_agent_id = NULL WHERE parent_agent_id IN ${agents}`.execute(db);
  await remove("task", here);
  await sql`UPDATE agent SET line = NULL WHERE ${here}`.execute(db);
  await remove("agent", here);
  return limit - left;
}
