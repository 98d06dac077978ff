import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** Tables whose rows belong to an agent, children before those that they point at. */
const OF_AGENT =
  "evidence intent question approval tool_call handoff progress wake usage run_event archive effect session run";
/** And those that belong to an issue. */
const OF_ISSUE = "decision transition blockers issue_text";

/**
 * Deletes all that is kept of issues whose agents, among those in `(from, to]`, ended before then: where nobody lives,
 * nothing is under way, no work is kept on disk and nothing that lives points at them. Returns how many.
 */
export async function forgetIssues(
  db: Kysely<Schema>,
  { from, to, before, quiet }: { from: number; to: number; before: number; quiet: RawBuilder<unknown> },
): Promise<number> {
  const { rows } = await sql<{
    repositoryId: number;
    issue: number;
  }>`SELECT DISTINCT repository_id, issue FROM agent
    WHERE id > ${from} AND id <= ${to} AND ended_at < ${before} AND ${quiet}
      AND NOT EXISTS (SELECT 1 FROM agent AS mate WHERE mate.repository_id = agent.repository_id
        AND mate.issue = agent.issue AND (mate.ended_at >= ${before} OR mate.worktree_path IS NOT NULL
          OR EXISTS (SELECT 1 FROM effect WHERE effect.agent_id = mate.id AND effect.state IN ('pending', 'leased'))
          OR EXISTS (SELECT 1 FROM archive WHERE archive.agent_id = mate.id AND archive.removed_at IS NULL)
          OR EXISTS (SELECT 1 FROM incident WHERE incident.probe_agent_id = mate.id AND incident.state = 'open')
          OR EXISTS (SELECT 1 FROM agent AS child WHERE child.parent_agent_id = mate.id AND child.ended_at IS NULL)))
    `.execute(db);
  for (const issue of rows) {
    if (db.isTransaction) await forget(db, issue);
    else await db.transaction().execute((trx) => forget(trx, issue));
  }
  return rows.length;
}

async function forget(
  db: Kysely<Schema>,
  { repositoryId, issue }: { readonly repositoryId: number; readonly issue: number },
): Promise<void> {
  const here = sql`repository_id = ${repositoryId} AND issue = ${issue}`;
  const agents = sql`(SELECT id FROM agent WHERE ${here})`;
  const tasks = sql`(SELECT id FROM task WHERE ${here})`;
  for (const table of ["verdict", "review_lease", "check_attempt"])
    await sql`DELETE FROM ${sql.table(table)} WHERE task_id IN ${tasks}`.execute(db);
  for (const table of OF_AGENT.split(" "))
    await sql`DELETE FROM ${sql.table(table)} WHERE agent_id IN ${agents}`.execute(db);
  for (const table of OF_ISSUE.split(" "))
    await sql`DELETE FROM ${sql.table(table)} WHERE ${here}`.execute(db);
  await sql`UPDATE incident SET probe_agent_id = NULL WHERE probe_agent_id IN ${agents}`.execute(db);
  await sql`UPDATE agent SET parent_agent_id = NULL WHERE parent_agent_id IN ${agents}`.execute(db);
  await sql`DELETE FROM task WHERE ${here}`.execute(db);
  await sql`UPDATE agent SET line = NULL WHERE ${here}`.execute(db);
  await sql`DELETE FROM agent WHERE ${here}`.execute(db);
}
