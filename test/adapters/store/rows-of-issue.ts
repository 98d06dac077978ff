import type { Database } from "better-sqlite3";

/** Tables that hold rows of one issue; the others have a row for each repository, account or incident. */
const OF_ISSUE =
  "agent run session task transition usage verdict review_lease check_attempt touch archive run_event tool_call decision effect wake intent evidence screen handoff question approval progress blockers issue_text".split(
    " ",
  );

/** How many rows each table has of an issue. */
export function rowsOf(database: Database, issue: number): Readonly<Record<string, number>> {
  const agents = `(SELECT id FROM agent WHERE issue = ${issue})`;
  const counts = OF_ISSUE.map((table) => {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
    const where = columns.includes("issue")
      ? `issue = ${issue}`
      : columns.includes("agent_id") && table !== "verdict"
        ? `agent_id IN ${agents}`
        : `task_id IN (SELECT id FROM task WHERE issue = ${issue})`;
    return [
      table,
      Number(database.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get()),
    ] as const;
  });
  return Object.fromEntries(counts);
}
