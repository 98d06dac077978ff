import type { Database } from "better-sqlite3";
import { inserter } from "./insert-row.ts";
import { addDetails } from "./issue-details.ts";
import { repository } from "./samples.ts";

const MINUTE = 60_000;

interface Life {
  readonly issue: number;
  /** When its work began, in ms since the epoch. */
  readonly at: number;
  readonly ends: boolean;
}

/** Writes all that the work on one issue leaves behind in the course of a few hours. */
export function addIssue(database: Database, { issue, at, ends }: Life): void {
  const [here, end] = [repository.id, at + 240 * MINUTE];
  const insert = inserter(database);
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
    tags: "[]",
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
  if (task !== null) {
    insert("review_lease", { state: "FREE", task_id: task });
    insert("check_attempt", { task_id: task, commit_sha: key, check_name: "build", at });
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
  }
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
  addDetails(database, { issue, at, key, agent, run });
}
