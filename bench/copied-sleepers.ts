import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import type { Stage } from "../src/demo/stage.ts";

/**
 * Copies the sleeping agent of issue 2 until the issues 2 to `last` have one each: the issues on GitHub, without
 * webhooks, and the rows of the agent, its run, session and task. Those up to `copied` already exist. Flotilla must not
 * run at the same time.
 */
export async function copySleeper({ github, dataDir }: Stage, copied: number, last: number): Promise<void> {
  github.setWebhook({ url: "", secret: "" });
  const octocat = github.as("octocat");
  for (let issue = copied + 1; issue <= last; issue += 1)
    await octocat.openIssue({ title: `Another, ${issue}`, body: "After it." });
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"));
  try {
    database.transaction(() => {
      for (let issue = copied + 1; issue <= last; issue += 1) copyRows(database, issue);
    })();
  } finally {
    database.close();
  }
}

/** Throws unless all of them sleep: otherwise the figures would not be those of sleeping agents. */
export function assertAsleep({ dataDir }: Stage, count: number): void {
  const database = new SqliteDatabase(join(dataDir, "flotilla.db"), { readonly: true });
  try {
    const asleep = database.prepare("SELECT count(*) FROM agent WHERE state = 'SLEEPING'").pluck().get();
    if (asleep !== count) throw new Error(`${String(asleep)} of ${count} sleep`);
  } finally {
    database.close();
  }
}

function copyRows(database: SqliteDatabase.Database, issue: number): void {
  const first = (table: string): Row => {
    const row = database.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY id LIMIT 1`).get();
    if (row === undefined) throw new Error(`there is no ${table} to copy`);
    return row;
  };
  const insert = (table: string, row: Row): Value => {
    const places = Object.keys(row).map(() => "?");
    return Number(
      database
        .prepare(`INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${places.join()})`)
        .run(...Object.values(row)).lastInsertRowid,
    );
  };
  const named = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, renamed(value, issue)]));
  const sessionId = `flotilla-${issue.toString(16).padStart(16, "0")}-1`;
  const id = insert("agent", { ...named(first("agent")), id: null, issue, session_id: sessionId });
  insert("run", { ...first("run"), id: null, agent_id: id, issue });
  insert("session", { ...first("session"), id: null, agent_id: id, session_id: sessionId });
  insert("task", { ...named(first("task")), id: null, issue, assignee_id: id });
}

function renamed(value: Value, issue: number): Value {
  return typeof value === "string" ? value.replaceAll("issue-2", `issue-${issue}`) : value;
}

type Value = string | number | bigint | null;
type Row = Record<string, Value>;
