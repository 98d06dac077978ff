import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { scenarioSchema } from "../src/demo/scenario.ts";
import { type Stage, setStage } from "../src/demo/stage.ts";

/**
 * What agents that wait cost: one that really fell asleep is copied 10,000 times in the database, each on an issue of its
 * own, and Flotilla is started again. Beside it the same start with the one.
 */
const SLEEPERS = 10_000;
/** After the start; long enough for recovery, the first rounds and what they ask GitHub. */
const SETTLE_MS = 15_000;
const LIMIT_MS = 30_000;

const scenario = scenarioSchema.parse({
  title: "sleepers",
  repository: { name: "app", files: { "README.md": "# app\n" } },
  people: { octocat: "write" },
  config: {
    roles: {
      "feat-dev": { prompt: "feat-dev.md", triggers: [{ event: "issues.labeled", label: "feature" }] },
    },
  },
  model: {
    conversations: [
      {
        match: "Work on issue",
        steps: [
          { call: [{ tool: "report_blocked", args: { blocker_issue: 1, reason: "It must come first." } }] },
        ],
      },
    ],
  },
  story: [],
});

const directory = mkdtempSync(join(tmpdir(), "flotilla-bench-"));
const stage = await setStage({ scenario, directory, confined: false, env: { LOG_LEVEL: "error" } });
try {
  await fallsAsleep(stage);
  const one = await started(stage);
  await copied(stage);
  const many = await started(stage);
  print("             start ms   memory MB   processes");
  print(line("1 sleeper", one));
  print(line(`${SLEEPERS} sleepers`, many));
  print(`${(many.memoryMb - one.memoryMb).toFixed(0)} MB more`);
  const asleep = database((db) =>
    db.prepare("SELECT count(*) FROM agent WHERE state = 'SLEEPING'").pluck().get(),
  );
  if (asleep !== SLEEPERS)
    throw new Error(`${String(asleep)} of ${SLEEPERS} still sleep:\n${stage.served().log()}`);
  if (stage.served().log() !== "") print(stage.served().log());
} finally {
  await stage.close();
  rmSync(directory, { recursive: true });
}

async function fallsAsleep({ github, api }: Stage): Promise<void> {
  const octocat = github.as("octocat");
  await octocat.openIssue({ title: "The first", body: "By hand." });
  await octocat.openIssue({ title: "Another", body: "After it.", labels: ["feature"] });
  const end = performance.now() + LIMIT_MS;
  while ((await api.agents())[0]?.state !== "SLEEPING") {
    if (performance.now() > end) throw new Error("no agent fell asleep");
    await pause(20);
  }
}

interface Started {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly processes: number;
}

/** Stops and starts Flotilla; the stop counts. */
async function started(on: Stage): Promise<Started> {
  const began = performance.now();
  await on.restart("SIGTERM");
  const startMs = performance.now() - began;
  await pause(SETTLE_MS);
  const status = readFileSync(`/proc/${on.served().pid}/status`, "utf8");
  const memoryMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  return { startMs, memoryMb, processes: childrenOf(on.served().pid) };
}

function childrenOf(pid: number): number {
  return readdirSync("/proc").filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return Number(readFileSync(`/proc/${entry}/stat`, "utf8").split(") ")[1]?.split(" ")[1]) === pid;
    } catch {
      return false;
    }
  }).length;
}

/** The issues on GitHub, of which no webhook tells, and the rows of the agent, its run, session and task. */
async function copied({ github }: Stage): Promise<void> {
  github.setWebhook({ url: "", secret: "" });
  const octocat = github.as("octocat");
  for (let issue = 3; issue <= SLEEPERS + 1; issue += 1)
    await octocat.openIssue({ title: `Another, ${issue}`, body: "After it." });
  database((db) => {
    const rows = (table: string) => db.prepare<[], Row>(`SELECT * FROM ${table}`).all();
    const [agent, run, session, task] = ["agent", "run", "session", "task"].map((table) => rows(table)[0]);
    if (!agent || !run || !session || !task) throw new Error("the agent has no rows to copy");
    const insert = (table: string, row: Row) =>
      db
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
            .map(() => "?")
            .join()})`,
        )
        .run(...Object.values(row)).lastInsertRowid;
    db.transaction(() => {
      for (let issue = 3; issue <= SLEEPERS + 1; issue += 1) {
        const named = Object.fromEntries(
          Object.entries(agent).map(([key, value]) => [key, renamed(value, issue)]),
        );
        const sessionId = `flotilla-${issue.toString(16).padStart(16, "0")}-1`;
        const id = insert("agent", { ...named, id: null, issue, session_id: sessionId });
        insert("run", { ...run, id: null, agent_id: id, issue });
        insert("session", { ...session, id: null, agent_id: id, session_id: sessionId });
        insert("task", {
          ...task,
          id: null,
          issue,
          assignee_id: id,
          worktree: renamed(task["worktree"] ?? null, issue),
        });
      }
    })();
  });
}

function renamed(value: Value, issue: number): Value {
  return typeof value === "string" ? value.replaceAll("issue-2", `issue-${issue}`) : value;
}

type Value = string | number | bigint | null;
type Row = Record<string, Value>;

function database<T>(work: (db: SqliteDatabase.Database) => T): T {
  const db = new SqliteDatabase(join(stage.dataDir, "flotilla.db"), { timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function line(name: string, { startMs, memoryMb, processes }: Started): string {
  return `${name.padEnd(15)}${startMs.toFixed(0).padStart(6)}${memoryMb.toFixed(0).padStart(12)}${String(processes).padStart(12)}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
