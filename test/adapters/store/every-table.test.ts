import type { Database } from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import type { KeptKind } from "../../../src/domain/kernel/rows.ts";
import type { RetentionWalk } from "../../../src/domain/ports/audit-tables.ts";
import { addBesideIssues } from "./beside-issues.ts";
import { repository } from "./samples.ts";
import { addIssue } from "./year.ts";

const DAY = 86_400_000;
const ISSUES = 3;

/** Rows of ended work by the time that they are kept for: a condition, or all of the table. */
type Kept = Partial<Record<KeptKind, string>>;

/** Every table of the schema: for how long its rows are kept, or why there are never many. */
const TABLES: Readonly<Record<string, Kept | string>> = {
  delivery: { deliveries: "state IN ('done', 'ignored')", records: "state = 'dead'" },
  run_event: { runEvents: "true" },
  tool_call: { toolCalls: "true" },
  decision: { decisions: "true" },
  transition: {
    transitions: "machine NOT IN ('agent', 'task', 'sprint', 'goal')",
    records: "machine IN ('agent', 'task', 'sprint', 'goal')",
  },
  effect: { effects: "state IN ('done', 'skipped')", records: "state = 'failed'" },
  evidence: { details: "true" },
  screen: { details: "true" },
  intent: { details: "true" },
  handoff: { details: "true" },
  wake: { details: "true" },
  question: { details: "true" },
  approval: { details: "true" },
  progress: { details: "true" },
  usage: {
    details: "id NOT IN (SELECT min(id) FROM usage GROUP BY agent_id, model, at / 86400000)",
    records: "true",
  },
  agent: { records: "true" },
  run: { records: "true" },
  session: { records: "true" },
  task: { records: "true" },
  review_lease: { records: "true" },
  check_attempt: { records: "true" },
  verdict: { records: "true" },
  archive: { records: "true" },
  sprint: { records: "true" },
  goal: { records: "true" },
  blockers: { records: "true" },
  issue_text: { records: "true" },
  touch: { records: "true" },
  seen_check: { records: "true" },
  seen_pull: { records: "true" },
  incident: { records: "true" },
  day_grant: { records: "true" },
  day_cost: { records: "true" },
  reported_blocker: { records: "true" },
  linked_blocker: { records: "true" },
  replay_input: "goes with the payloads (retention.payloads): see the test of rounds",
  repository: "one for each repository that the App was ever installed on",
  repository_file: "one for each repository",
  scope_pause: "four for each repository, at most",
  tally: "one for each state of each role and repository",
  provider_park: "one for each account of a model provider",
  agent_mark: "at most forty for each agent, which go with it",
  conversation: "at most one for each live agent; dropped when it ends",
  checkpoint: "at most one for each agent, which goes with it",
  lone_opening: "at most two for each agent, which go with it",
  kept_secret: "one row",
  sign_out: "gone at the next sign-out once its session would have ended",
  sweep: "one",
  node: "one per machine",
  token_request: "gone a minute later",
  app_identity: "one per App",
  round: "one per round",
  restored: "one",
  sqlite_sequence: "one: run_event alone counts by it",
};

async function aLife() {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.repositories.put(repository);
  for (let issue = 1; issue <= ISSUES; issue += 1) addIssue(database, { issue, at: issue * DAY, ends: true });
  database.exec(`UPDATE agent SET blocked_by = '[1]' WHERE issue = 2;
    UPDATE blockers SET blockers = '[{"repository":"acme/shop","number":1,"open":false}]' WHERE issue = 2`);
  addBesideIssues(database, { issue: ISSUES + 1, at: DAY });
  return { database, store };
}

type Life = Awaited<ReturnType<typeof aLife>>;

/** Sweeps all tables to their ends, twice: what goes last leaves rows behind that then may go. */
async function sweep({ store }: Life, over: readonly KeptKind[], without?: RetentionWalk): Promise<void> {
  for (const walk of [...store.retention.walks, ...store.retention.walks]) {
    if (walk === without) continue;
    const before = over.includes(walk.kind) ? 300 * DAY : 0;
    for (let from: number | null = 0; from !== null; )
      ({ to: from } = await store.retention.sweep(walk, { from, before, limit: 100 }));
  }
}

/** Tables with rows that were kept longer than they should. */
function overdue(database: Database, over: readonly KeptKind[]): readonly string[] {
  return Object.entries(TABLES).flatMap(([table, kept]) => {
    if (typeof kept === "string") return [];
    const left = over.some((kind) => kept[kind] !== undefined && rows(database, table, kept[kind]) > 0);
    return left ? [table] : [];
  });
}

function rows(database: Database, table: string, where: string): number {
  return Number(database.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get());
}

const KINDS: readonly KeptKind[] = [
  "deliveries",
  "runEvents",
  "toolCalls",
  "decisions",
  "transitions",
  "effects",
  "details",
  "records",
];

test("each table of the schema has a time for which its rows are kept, or a reason why it stays small", async () => {
  const { database } = await aLife();
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  expect(new Set(Object.keys(TABLES))).toEqual(new Set(tables));
});

test("each table with a time has rows that it is shown on", async () => {
  const { database } = await aLife();
  const bare = Object.entries(TABLES).flatMap(([table, kept]) =>
    typeof kept === "string"
      ? []
      : Object.entries(kept)
          .filter(([, where]) => rows(database, table, where) === 0)
          .map(([kind]) => `${table} as ${kind}`),
  );
  expect(bare).toEqual([]);
});

test.each(KINDS)("when the time of %s is over nothing is left of it", async (kind) => {
  const life = await aLife();
  expect(overdue(life.database, [kind])).not.toEqual([]);
  await sweep(life, [kind]);
  expect(overdue(life.database, [kind])).toEqual([]);
  expect(life.database.pragma("foreign_key_check")).toEqual([]);
});

test("without the walk of a table its rows stay beyond their time, and are found here", async () => {
  const { store } = await aLife();
  const found: string[] = [];
  for (const without of store.retention.walks) {
    const life = await aLife();
    const same = life.store.retention.walks.find(
      ({ table, kind }) => table === without.table && kind === without.kind,
    );
    await sweep(life, [without.kind], same);
    if (overdue(life.database, [without.kind]).includes(without.table))
      found.push(`${without.table} as ${without.kind}`);
  }
  expect(found).toEqual(store.retention.walks.map(({ table, kind }) => `${table} as ${kind}`));
});
