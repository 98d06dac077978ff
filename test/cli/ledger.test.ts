import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { ledger } from "../../src/cli/commands/ledger.ts";
import { insertAgent, repository, task } from "../adapters/store/samples.ts";
import { fileStore } from "../factories/file-store.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NAME = `${repository.owner}/${repository.name}`;

let dataDir: string;
let store: OpenStore;
let midnight: number;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "ledger-"));
  store = await fileStore(join(dataDir, "flotilla.db"));
  midnight = Math.floor(Date.now() / DAY) * DAY;
  const agent = await insertAgent(store, { state: "COMPLETED", coder: true });
  const other = await insertAgent(store, { role: "=reviewer", name: "reviewer-issue-42" });
  const call = { agentId: agent.id, model: "m", inputTokens: 1000, outputTokens: 50, cachedTokens: 400 };
  await store.usage.add({ ...call, costMicroUsd: 1_250_000, at: midnight });
  await store.usage.add({ ...call, agentId: other.id, costMicroUsd: 250_000, at: midnight - 2 * DAY });
  const done = await store.records.insert("task", task({ state: "MERGED", assigneeId: agent.id }));
  const move = { repositoryId: repository.id, issue: 42, actor: "flotilla", reason: null, evidence: null };
  const of = { ...move, agentId: agent.id, delivery: null, recordId: agent.id, machine: "agent" } as const;
  await store.transitions.add({ ...of, event: "START", from: "CREATED", to: "ACTIVE", at: midnight - DAY });
  const ends = { event: "COMPLETE", from: "ACTIVE", to: "COMPLETED", at: midnight - DAY + 65 * MINUTE };
  await store.transitions.add({ ...of, ...ends });
  const merged = { event: "MERGE", from: "APPROVED", to: "MERGED", at: midnight };
  await store.transitions.add({ ...of, ...merged, machine: "task", recordId: done.id });
  const at = { repositoryId: repository.id, issue: 42, at: midnight };
  await store.ledger.touch({ ...at, kind: "review", key: "review:1" });
  await store.ledger.touch({ ...at, kind: "revert", key: "revert:1" });
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

async function say(options: Record<string, string | boolean>, args: readonly string[] = []) {
  const lines: string[] = [];
  const env = { FLOTILLA_DATA_DIR: dataDir };
  const code = await ledger.run({
    env,
    cwd: "/",
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options,
    args,
  });
  return { code, lines };
}

test("shows a table with its sum, and what came of it", async () => {
  expect(await say({ by: "role" })).toEqual({
    code: 0,
    lines: [
      "role       runs    in  cached  out   cost       awake  touches  merged",
      "feat-dev      1  1000     400   50  $1.25  1 h 05 min        1       1",
      "=reviewer     1  1000     400   50  $0.25         0 s        0       0",
      "total         2  2000     800  100  $1.50  1 h 05 min        1       1",
      "",
      "1 of 1 finished issues merged, $1.50 for each merged one, 1 reverted",
    ],
  });
});

test("counts a run once in the sum, and shows only what was since the day that is named", async () => {
  const days = await say({});
  expect(days.lines).toHaveLength(7);
  expect(days.lines[4]).toMatch(/^total +2 /);
  const today = new Date(midnight).toISOString().slice(0, 10);
  for (const since of [today, "1d"]) {
    const { lines } = await say({ since });
    expect(lines[1]).toMatch(new RegExp(`^${today} +1 +1000 `));
    expect(lines[2]).toMatch(/^total +1 /);
  }
  expect((await say({ since: "2099-01-01" })).lines).toEqual(["Nothing was done since 2099-01-01."]);
});

test("writes CSV that no spreadsheet runs", async () => {
  const { lines } = await say({ by: "role", csv: true });
  expect(lines).toEqual([
    "role,runs,tokens_in,tokens_cached,tokens_out,cost_usd,wall_seconds,touches,merged,finished,reverted,acceptance,cost_per_merged_usd",
    "feat-dev,1,1000,400,50,1.25,3900,1,1,1,1,1,1.25",
    `"'=reviewer",1,1000,400,50,0.25,0,0,0,0,0,,`,
  ]);
});

test("gives a program what the API gives", async () => {
  const { lines } = await say({ by: "run", json: true });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    ledger: [
      { key: `${NAME}:feat-dev-issue-42`, runs: 1, cost_usd: 1.25, wall_seconds: 3900 },
      { key: `${NAME}:reviewer-issue-42` },
    ],
  });
});

test.each([
  [{ by: "agent" }, []],
  [{ since: "0d" }, []],
  [{ since: "yesterday" }, []],
  [{ since: "2026-13-01" }, []],
  [{ csv: true, json: true }, []],
  [{}, ["7"]],
])("refuses %j %j, with what may be said", async (options, args) => {
  const { code, lines } = await say(options, args);
  expect(code).toBe(1);
  expect(lines[0]).toContain("flotilla ledger [--by day]");
});
