import type { Database } from "better-sqlite3";
import { inserter } from "./insert-row.ts";
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
  screen: 2,
  usage: 50,
  delivery: 40,
  replay_input: 30,
} as const;
const MINUTE = 60_000;

interface Work {
  readonly issue: number;
  readonly at: number;
  /** Tells the work apart from other attempts at the issue. */
  readonly key: string;
  readonly agent: number;
  readonly run: number;
}

/** Writes the rows of which the work on an issue leaves many, over four hours. */
export function addDetails(database: Database, { issue, at, key, agent, run }: Work): void {
  const [here, end] = [repository.id, at + 240 * MINUTE];
  const insert = inserter(database);
  const then = (n: number, of: number): number => at + Math.floor((n * 240 * MINUTE) / of);
  const many = (table: string, count: number, row: (n: number) => Parameters<typeof insert>[1]): void => {
    for (let n = 0; n < count; n += 1) insert(table, row(n));
  };
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
  // The first schema has none.
  const screens = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'screen'").get();
  many("screen", screens === undefined ? 0 : ROWS.screen, (n) => ({
    agent_id: agent,
    commit_sha: key,
    digest: "d",
    page: "start",
    size: `${n}`,
    created_at: then(n, 2),
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
  many("replay_input", ROWS.replay_input, (n) => ({
    guid: `${key}:${n}`,
    repository_id: here,
    issue,
    at: then(n, 30),
    answers: "a".repeat(3000),
  }));
}
