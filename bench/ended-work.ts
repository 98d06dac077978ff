import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";

/** The first issue of the copies, far above the numbers that the local GitHub assigns itself. */
const FIRST_ISSUE = 2_000_000;
const MINUTE_MS = 60_000;
/** Time between two ends. */
const PAUSE_MS = 10 * MINUTE_MS;

/** A short life: machine, event, the states before and after, and minutes before the end. */
const MOVES = [
  ["agent", "START", "CREATED", "ACTIVE", 9],
  ["agent", "WAIT", "ACTIVE", "SLEEPING", 6],
  ["agent", "WAKE", "SLEEPING", "ACTIVE", 3],
  ["agent", "COMPLETE", "ACTIVE", "COMPLETED", 0],
  ["task", "MERGE", "APPROVED", "MERGED", 0],
] as const;

/**
 * Copies the database's first agent with its run, session and task as ended work: `before` copies exist, `count` will
 * exist. Each has a merged task and the transitions and usage of a short life; one ends every ten minutes, the last at
 * `now`. Flotilla must not run at the same time.
 */
export function copyEndedWork(dataDir: string, before: number, count: number, now: number): void {
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"));
  const [from, below] = [FIRST_ISSUE + before, FIRST_ISSUE + count];
  const endedAt = `${now} - (${below} - 1 - n) * ${PAUSE_MS}`;
  const agentId =
    "(SELECT id FROM agent WHERE repository_id = (SELECT min(repository_id) FROM agent) AND issue = n)";
  const sessionId = "'flotilla-' || printf('%016x', n) || '-1'";
  const copy = (table: string, changed: Readonly<Record<string, string>>): void => {
    const names = database
      .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
    const values = names.map((name) => ({ ...changed, id: "NULL" })[name] ?? `first.${name}`);
    const { changes } = database
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${below})
         INSERT INTO ${table} (${names.join()}) SELECT ${values.join()}
         FROM numbers, (SELECT * FROM ${table} ORDER BY id LIMIT 1) AS first`,
      )
      .run();
    if (changes !== count - before) throw new Error(`there is no ${table} to copy`);
  };
  try {
    database.transaction(() => {
      copy("agent", {
        issue: "n",
        name: "first.role || '-issue-' || n",
        branch: "'flotilla/' || first.role || '/issue-' || n",
        session_id: sessionId,
        state: "'COMPLETED'",
        sleep_reason: "NULL",
        sleeping_since: "NULL",
        blocked_by: "'[]'",
        worktree_path: "NULL",
        ended_at: endedAt,
      });
      copy("session", {
        agent_id: agentId,
        session_id: sessionId,
        state: "'stopped'",
        destroyed_at: endedAt,
      });
      copy("run", { agent_id: agentId, issue: "n", state: "'succeeded'" });
      copy("task", {
        issue: "n",
        assignee_id: agentId,
        state: "'MERGED'",
        worktree: "NULL",
        lease_until: "NULL",
        merge_commit: "'c0ffee'",
      });
      for (const [machine, event, old, next, minutes] of MOVES)
        database.exec(`INSERT INTO transition
          (at, machine, record_id, agent_id, repository_id, issue, actor, event, from_state, to_state, evidence)
          SELECT agent.ended_at - ${minutes * MINUTE_MS}, '${machine}', ${machine}.id, agent.id,
            agent.repository_id, agent.issue, 'flotilla', '${event}', '${old}', '${next}', 'null'
          FROM agent JOIN task ON task.assignee_id = agent.id
          WHERE agent.issue >= ${from} AND agent.issue < ${below}`);
      database.exec(`INSERT INTO usage
          (agent_id, at, model, input_tokens, output_tokens, cached_tokens, cost_micro_usd)
        SELECT agent.id, ended_at - value * ${MINUTE_MS}, 'gpt-4.1', 9000, 700, 5000, 31000
        FROM agent, json_each('[1,4,8]') WHERE issue >= ${from} AND issue < ${below}`);
    })();
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
