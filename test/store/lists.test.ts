import SqliteDatabase from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { AGENT_STATES } from "../../src/core/machines/agent-record.ts";
import type { Listed, PageOf, Position } from "../../src/core/ports/lists.ts";
import { migrate } from "../../src/store/migrate.ts";
import { migrations } from "../../src/store/migrations/index.ts";
import { type OpenStore, storeOn } from "../../src/store/open.ts";
import { agent, repository, run, task } from "./samples.ts";

/** Tables that grow with use; none of them is ever read from end to end. */
const GROWING =
  "agent approval decision delivery effect question run run_event session task tool_call transition usage wake";

/** A store in memory, and the statements that it was asked since the last look. */
function watchedStore() {
  let said: string[] = [];
  const database = new SqliteDatabase(":memory:", { verbose: (text) => said.push(String(text)) });
  migrate(database, migrations);
  const store = storeOn(database);
  onTestFinished(() => store.close());
  const statements = (): readonly string[] => {
    const taken = said;
    said = [];
    return taken;
  };
  /** What a statement reads from end to end, or has to sort before its first row. */
  const growing = (text: string): readonly string[] => {
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all();
    return plan
      .map(({ detail }) => detail)
      .filter(
        (detail) => GROWING.split(" ").some((table) => detail === `SCAN ${table}`) || /ORDER BY/.test(detail),
      );
  };
  return { store, statements, growing };
}

/** Agents in every state, each with its run, task, moves and effects. */
async function grow(store: OpenStore, count: number): Promise<void> {
  await store.repositories.put(repository);
  await store.transaction(async (tables) => {
    for (let issue = 1; issue <= count; issue += 1) {
      const state = AGENT_STATES[issue % AGENT_STATES.length] ?? "ACTIVE";
      const ended = ["COMPLETED", "FAILED", "CANCELLED"].includes(state);
      const made = await tables.records.insert(
        "agent",
        agent({
          issue,
          name: `feat-dev-issue-${issue}`,
          state,
          sleepReason: state === "SLEEPING" ? "question" : null,
          // Many at the same moment.
          sleepingSince: Math.floor(issue / 50),
          endedAt: ended ? issue : null,
        }),
      );
      await tables.records.insert("run", run({ agentId: made.id, issue, state: "executing" }));
      await tables.records.insert(
        "task",
        task({ issue, title: `Task ${issue}`, assigneeId: made.id, state: ended ? "MERGED" : "UNCLAIMED" }),
      );
      await tables.transitions.add({
        at: issue,
        machine: "agent",
        recordId: made.id,
        agentId: made.id,
        repositoryId: repository.id,
        issue,
        actor: "flotilla",
        event: "WAIT",
        from: "ACTIVE",
        to: "SLEEPING",
        reason: "question",
        evidence: null,
        delivery: null,
      });
    }
  });
}

type Read = (page: PageOf) => Promise<readonly Listed<unknown>[]>;

const listsOf = (store: OpenStore): Readonly<Record<string, Read>> => {
  const repositories = [repository.id];
  const { lists } = store;
  return {
    agents: (page) => lists.agents({ states: null, repositories }, page),
    "agents in a state": (page) => lists.agents({ states: ["SLEEPING"], repositories }, page),
    waiting: (page) => lists.waiting(repositories, page),
    tasks: (page) => lists.tasks({ state: null, repositories }, page),
    "tasks in a state": (page) => lists.tasks({ state: "MERGED", repositories, latestFirst: true }, page),
    effects: (page) => lists.effects({ states: ["failed", "pending"], repositories }, page),
    transitions: (page) => lists.transitions({ repositories }, page),
    "transitions of an agent": (page) => lists.transitions({ agentId: 3, latestFirst: true }, page),
    "effects of an agent": (page) => lists.effectsOfAgent(3, page),
    decisions: (page) => lists.decisions({ repositoryId: repository.id, issue: 3 }, page),
    deliveries: (page) => lists.deliveries({ state: null, repositories }, page),
    "deliveries in a state": (page) => lists.deliveries({ state: "dead", repositories }, page),
  };
};

async function allPages(read: Read, limit: number, between: () => Promise<unknown> = async () => {}) {
  const rows: unknown[] = [];
  let after: Position | null = null;
  for (;;) {
    const page: readonly Listed<unknown>[] = await read({ after, limit });
    rows.push(...page.map(({ row }) => row));
    if (page.length < limit) return rows;
    after = page.at(-1)?.position ?? null;
    await between();
  }
}

test("a page takes as many statements whether it has 10 rows or 500, and none that reads a growing table whole", async () => {
  const { store, statements, growing } = watchedStore();
  await grow(store, 700);
  const found: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(listsOf(store))) {
    statements();
    await read({ after: null, limit: 10 });
    const few = statements();
    await read({ after: null, limit: 500 });
    const many = statements();
    found[name] = { more: many.length - few.length, grows: [...few, ...many].flatMap(growing) };
  }
  for (const [name, was] of Object.entries(found))
    expect({ name, was }).toEqual({ name, was: { more: 0, grows: [] } });
});

test("what stands around agents, the counts and the places take as many statements for 5 agents as for 500", async () => {
  const { store, statements, growing } = watchedStore();
  await grow(store, 700);
  const rows = await store.lists.agents({ states: null, repositories: null }, { after: null, limit: 500 });
  const agents = rows.map(({ row }) => row.agent);
  statements();
  await store.lists.around(agents.slice(0, 5));
  const few = statements().length;
  expect((await store.lists.around(agents)).size).toBe(500);
  expect(statements()).toHaveLength(few);
  const of = { repositoryId: repository.id, issues: [1, 2, 3] };
  await store.lists.agentCounts();
  await store.lists.taskCounts();
  await store.lists.costs(0);
  await store.lists.agentNamed(repository.id, "x");
  await store.lists.tasksOfIssues(repository.id, [1, 2, 3]);
  await store.lists.gaveUp(of, 0);
  await store.lists.ended(null, 0, 8);
  await store.lists.agentMoves([1, 2, 3]);
  await store.meters.waiting();
  const whole = statements()
    .flatMap(growing)
    .filter((detail) => detail.startsWith("SCAN"));
  expect(whole).toEqual([]);
});

test("all pages together are the list once, in its order, whatever is added or removed meanwhile", async () => {
  const { store } = watchedStore();
  await grow(store, 300);
  for (const [name, read] of Object.entries(listsOf(store))) {
    const whole = await read({ after: null, limit: 500 });
    for (const limit of [1, 7, 100, 300])
      expect({ name, limit, rows: await allPages(read, limit) }).toEqual({
        name,
        limit,
        rows: whole.map(({ row }) => row),
      });
  }
  const before = await allPages((page) => store.lists.tasks({ state: null, repositories: null }, page), 500);
  let issue = 1000;
  const during = await allPages(
    (page) => store.lists.tasks({ state: null, repositories: null }, page),
    50,
    () => store.records.insert("task", task({ issue: ++issue, title: "new" })),
  );
  expect(during.slice(0, before.length)).toEqual(before);
});
