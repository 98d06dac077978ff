import { expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import type { Listed, PageOf, Position } from "../../../src/domain/ports/lists.ts";
import { repository, task } from "./samples.ts";
import { grow, watchedStore } from "./watched-store.ts";

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
    notices: (page) => lists.effects({ states: ["failed"], repositories, notices: true }, page),
    "acts of people": (page) => lists.personsActs({ kind: null, by: null, repositories }, page),
    "acts of one person": (page) => lists.personsActs({ kind: "start", by: "ALICE", repositories }, page),
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

test("an agent's moves come the latest first where that is asked for, page by page", async () => {
  const { store } = watchedStore();
  await grow(store, 10);
  const [move] = await store.lists.transitions({ agentId: 3 }, { after: null, limit: 1 });
  if (move === undefined) throw new Error("it has not moved");
  const { id: _, ...again } = move.row;
  for (let at = 0; at < 3; at += 1) await store.transitions.add({ ...again, at });
  const moves = (latestFirst: boolean) =>
    allPages((page) => store.lists.transitions({ agentId: 3, latestFirst }, page), 1);
  const [first, latest] = [await moves(false), await moves(true)];
  expect(first).toHaveLength(4);
  expect(latest).toEqual(first.toReversed());
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
  await store.lists.ended(null, 0, { after: null, limit: 8 });
  await store.lists.agentMoves([1, 2, 3]);
  await store.backlog.waiting();
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
