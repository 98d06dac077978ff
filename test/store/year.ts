import type { Database } from "better-sqlite3";
import { repository } from "./samples.ts";

/** Rows of each kind that one issue leaves, and how long their texts are; measured on journeys of two agents. */
const ROWS = {
  run_event: 250,
  tool_call: 60,
  decision: 15,
  effect: 60,
  wake: 6,
  intent: 4,
  evidence: 3,
  usage: 50,
  delivery: 40,
  ground: 30,
} as const;
const MINUTE = 60_000;

/** Tables that hold rows of one issue; the others have a row for each repository, account or incident. */
export const OF_ISSUE = [
  ...["agent", "run", "session", "task", "transition", "usage", "verdict", "touch", "archive"],
  ...[
    "run_event",
    "tool_call",
    "decision",
    "effect",
    "wake",
    "intent",
    "evidence",
    "handoff",
    "question",
    "approval",
  ],
  ...["progress", "blockers", "issue_text"],
] as const;

interface Life {
  readonly issue: number;
  /** When its work began, in ms since the epoch. */
  readonly at: number;
  readonly ends: boolean;
}

/** Writes all that the work on one issue leaves behind in the course of a few hours. */
export function addIssue(database: Database, { issue, at, ends }: Life): void {
  const [here, end] = [repository.id, at + 240 * MINUTE];
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): number => {
    const columns = database
      .prepare<[], { name: string; type: string; required: number; fallback: unknown }>(
        `SELECT name, type, "notnull" AS required, dflt_value AS fallback FROM pragma_table_info('${table}') WHERE pk = 0 OR name != 'id'`,
      )
      .all();
    const values = columns.map(({ name, type, required }) => {
      if (name in row) return row[name] ?? null;
      if (required === 0) return null;
      return type === "INTEGER" ? 0 : "[]";
    });
    const places = columns.map(() => "?").join();
    const text = `INSERT INTO ${table} (${columns.map(({ name }) => name).join()}) VALUES (${places})`;
    return Number(database.prepare(text).run(...values).lastInsertRowid);
  };
  const many = (table: string, count: number, row: (n: number) => Parameters<typeof insert>[1]): void => {
    for (let n = 0; n < count; n += 1) insert(table, row(n));
  };
  const then = (n: number, of: number): number => at + Math.floor((n * 240 * MINUTE) / of);
  const key = `${issue}:${at}`;
  const agent = insert("agent", {
    version: 1,
    state: ends ? "COMPLETED" : "SLEEPING",
    sleep_reason: ends ? null : "blocked",
    repository_id: here,
    name: `feat-dev-issue-${key}`,
    role: "feat-dev",
    issue,
    attempt: 1,
    coder: 1,
    blocked_by: "[]",
    labels: "[]",
    tags: "{}",
    created_at: at,
    sleeping_since: ends ? null : at,
    ended_at: ends ? end : null,
  });
  const run = insert("run", {
    state: "succeeded",
    agent_id: agent,
    repository_id: here,
    issue,
    attempt: 1,
    created_at: at,
  });
  insert("session", { state: "stopped", agent_id: agent, session_id: key, created_at: at });
  const open = database
    .prepare("SELECT count(*) FROM task WHERE issue = ? AND state = 'CLAIMED'")
    .pluck()
    .get(issue);
  const task =
    open === 0
      ? insert("task", {
          state: ends ? "MERGED" : "CLAIMED",
          repository_id: here,
          issue,
          title: "Add a launch button",
          assignee_id: agent,
          failed_by: "[]",
          verdicts: "[]",
          created_at: at,
        })
      : null;
  insert("progress", { agent_id: agent, progress: "{}" });
  insert("handoff", {
    agent_id: agent,
    cause: "context",
    written_by: "host",
    summary: "s".repeat(500),
    next_action: "go",
    created_at: at,
  });
  insert("question", {
    agent_id: agent,
    state: "ANSWERED",
    text: "Which?",
    options: "[]",
    asked_of: "[]",
    created_at: at,
  });
  insert("approval", {
    agent_id: agent,
    state: "used",
    kind: "plan",
    detail: "",
    tool: "plan",
    input: "i".repeat(500),
    hash: key,
    created_at: at,
  });
  insert("archive", { agent_id: agent, made_at: at, expires_at: end, removed_at: end });
  if (task !== null)
    insert("verdict", {
      task_id: task,
      reviewer: "reviewer",
      state: "current",
      commit_sha: key,
      approves: 1,
      body: "b".repeat(800),
      comments: "[]",
      evidence: "[]",
      created_at: at,
    });
  database.prepare("INSERT OR IGNORE INTO blockers VALUES (?, ?, '[]', 0, ?)").run(here, issue, at);
  database
    .prepare("INSERT OR IGNORE INTO issue_text VALUES (?, ?, 'A title', ?, 'octocat', ?)")
    .run(here, issue, "b".repeat(1500), at);
  const moves = [
    ...["CREATED>ACTIVE", "ACTIVE>SLEEPING", "SLEEPING>ACTIVE", "ACTIVE>COMPLETED"].map((move) => [
      "agent",
      move,
    ]),
    ...["UNCLAIMED>CLAIMED", "CLAIMED>READY_FOR_REVIEW", "APPROVED>MERGED"].map((move) => ["task", move]),
    ...Array.from({ length: 30 }, () => ["run", "executing>evaluating"]),
    ...Array.from({ length: 12 }, () => ["session", "running>idle"]),
  ];
  for (const [n, [machine = "", move = ""]] of moves.entries()) {
    const [from_state = "", to_state = ""] = move.split(">");
    const record_id = machine === "task" ? (task ?? 0) : machine === "run" ? run : agent;
    insert("transition", {
      at: then(n, moves.length),
      machine,
      record_id,
      agent_id: agent,
      repository_id: here,
      issue,
      actor: "flotilla",
      event: "MOVE",
      from_state,
      to_state,
      evidence: "null",
    });
  }
  many("run_event", ROWS.run_event, (n) => ({
    at: then(n, 250),
    agent_id: agent,
    run_id: run,
    repository_id: here,
    issue,
    turn: n,
    type: "agent:step",
    data: JSON.stringify({ text: "x".repeat(250) }),
  }));
  many("tool_call", ROWS.tool_call, (n) => ({
    agent_id: agent,
    tool_call_id: `${n}`,
    tool: "bash",
    input: "i".repeat(300),
    turn: n,
    status: "success",
    output: "o".repeat(500),
    started_at: then(n, 60),
    ended_at: then(n, 60),
  }));
  many("decision", ROWS.decision, (n) => ({
    at: then(n, 15),
    last_at: then(n, 15),
    repository_id: here,
    issue,
    agent_id: n % 3 === 0 ? agent : null,
    rule: "slot",
    reason: "r".repeat(80),
    inputs: "{}",
    count: 1,
  }));
  many("effect", ROWS.effect, (n) => ({
    key: `${key}:${n}`,
    kind: "add_labels",
    lane: `issue:7#${issue}`,
    repository_id: here,
    issue,
    agent_id: agent,
    payload: JSON.stringify({ kind: "add_labels", labels: ["l".repeat(150)] }),
    state: "done",
    result: "null",
    created_at: then(n, 60),
    settled_at: then(n, 60),
  }));
  many("wake", ROWS.wake, (n) => ({
    key: `${key}:${n}`,
    agent_id: agent,
    reason: "blocker",
    detail: "#41 was closed",
    granted: "null",
    state: "delivered",
    created_at: then(n, 6),
    settled_at: then(n, 6),
  }));
  many("intent", ROWS.intent, (n) => ({
    agent_id: agent,
    kind: "report_complete",
    payload: "{}",
    state: "applied",
    created_at: then(n, 4),
  }));
  many("evidence", ROWS.evidence, (n) => ({
    agent_id: agent,
    run_id: run,
    intent_id: null,
    kind: "command",
    holds: 1,
    output: "o".repeat(3000),
    created_at: then(n, 3),
  }));
  many("usage", ROWS.usage, (n) => ({
    agent_id: agent,
    at: then(n, 50),
    model: "gpt-4.1",
    input_tokens: 9000,
    output_tokens: 700,
    cached_tokens: 5000,
    cost_micro_usd: 31_000,
  }));
  many("touch", 4, (n) => ({
    repository_id: here,
    issue,
    kind: "comment",
    key: `${key}:${n}`,
    at: then(n, 4),
  }));
  many("seen_check", 6, (n) => ({
    repository_id: here,
    ref: key,
    name: `check ${n}`,
    run: `${n}`,
    state: "green",
    conclusion: "success",
    log: "",
    seen_at: end,
  }));
  many("delivery", ROWS.delivery, (n) => ({
    guid: `${key}:${n}`,
    event: "issues",
    action: "labeled",
    repository_id: here,
    lane: `7#${issue}`,
    state: "done",
    received_at: then(n, 40),
    settled_at: then(n, 40),
    payload: "p".repeat(8000),
  }));
  many("ground", ROWS.ground, (n) => ({
    guid: `${key}:${n}`,
    repository_id: here,
    issue,
    at: then(n, 30),
    answers: "a".repeat(3000),
  }));
}

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
