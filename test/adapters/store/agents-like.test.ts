import { expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { openDatabase } from "../../../src/adapters/store/sqlite/database.ts";
import { migrate } from "../../../src/adapters/store/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/store/sqlite/migrations/migrations.ts";
import { storeOn } from "../../../src/adapters/store/sqlite/open.ts";
import type { AgentFilter } from "../../../src/domain/agents/agent-filter.ts";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import { SESSION_STATES } from "../../../src/domain/agents/session.ts";
import { namedState } from "../../../src/domain/agents/state-words.ts";
import type { Position } from "../../../src/domain/ports/lists.ts";
import { agent, repository, run, session } from "./samples.ts";
import { grow, watchedStore } from "./watched-store.ts";

async function allOf(
  store: OpenStore,
  filter: AgentFilter,
  limit = 500,
  repositories: readonly number[] | null = null,
) {
  const names: string[] = [];
  let pages = 0;
  for (let after: Position | null = null; ; pages += 1) {
    const found: Awaited<ReturnType<OpenStore["lists"]["agentsLike"]>> = await store.lists.agentsLike(
      { filter, repositories },
      { after, limit },
    );
    names.push(...found.rows.map(({ row }) => row.agent.name));
    if (found.next === null) return { names, pages: pages + 1 };
    after = found.next;
  }
}

test("agents are found by tags, labels, role, mode and whoever had them made, and no longer by what was taken off", async () => {
  const { store } = watchedStore();
  await store.repositories.put(repository);
  const other = await store.records.insert(
    "agent",
    agent({ issue: 1, name: "a", tags: ["x", "y"], labels: ["team=core"] }),
  );
  await store.records.insert(
    "agent",
    agent({ issue: 2, name: "b", tags: ["x"], labels: ["team=web"], role: "triage" }),
  );
  await store.records.insert("agent", agent({ issue: 3, name: "c", mode: "one_shot" }));
  for (const [recordId, actor, event] of [
    [1, "Alice", "CREATE"],
    [2, "bob", "REVIVE"],
    [3, "alice", "REOPEN"],
    [2, "alice", "PAUSE"],
  ] as const)
    await store.transitions.add({
      at: 1,
      machine: "agent",
      recordId,
      agentId: recordId,
      repositoryId: repository.id,
      issue: recordId,
      actor,
      event,
      from: "(new)",
      to: "CREATED",
      reason: null,
      evidence: null,
      delivery: null,
    });
  const found = async (filter: AgentFilter) => (await allOf(store, filter)).names;
  expect(await found({})).toEqual(["a", "b", "c"]);
  expect(await found({ tags: ["x"] })).toEqual(["a", "b"]);
  expect(await found({ tags: ["x", "y"] })).toEqual(["a"]);
  expect(await found({ labels: ["team=web"] })).toEqual(["b"]);
  expect(await found({ tags: ["x"], labels: ["team=core"], role: "triage" })).toEqual([]);
  expect(await found({ role: "triage" })).toEqual(["b"]);
  expect(await found({ mode: "one_shot" })).toEqual(["c"]);
  expect(await found({ by: "alice" })).toEqual(["a", "c"]);
  expect(await found({ by: "alice", tags: ["x"] })).toEqual(["a"]);
  expect(await found({ tags: ["x"], state: { agent: "FAILED", run: null, session: null } })).toEqual([]);
  expect((await allOf(store, { tags: ["x"] }, 500, [99])).names).toEqual([]);
  await store.records.save("agent", other, { ...other, tags: ["z"], labels: [] });
  expect(await found({ tags: ["x"] })).toEqual(["b"]);
  expect(await found({ labels: ["team=core"] })).toEqual([]);
  expect(await found({ tags: ["z"] })).toEqual(["a"]);
});

test("the attributes of an agent go with it", async () => {
  const database = openDatabase(":memory:");
  migrate(database, migrations);
  const store = storeOn(database);
  onTestFinished(() => store.close());
  await store.repositories.put(repository);
  const { id } = await store.records.insert("agent", agent({ tags: ["x"], labels: ["team=core"] }));
  const marks = () => database.prepare("SELECT mark FROM agent_mark ORDER BY mark").pluck().all();
  expect(marks()).toEqual(["label:team=core", "tag:x"]);
  database.prepare("DELETE FROM agent WHERE id = ?").run(id);
  expect(marks()).toEqual([]);
});

test("a word in lower case finds whoever stands so by agent, run or conversation, one in capitals by the agent alone", async () => {
  const { store } = watchedStore();
  await store.repositories.put(repository);
  const all: { name: string; words: readonly string[] }[] = [];
  let issue = 0;
  const stands = async (
    fields: Parameters<typeof agent>[0],
    phase: (typeof RUN_STATES)[number],
    talk: (typeof SESSION_STATES)[number] | null,
  ) => {
    issue += 1;
    const made = await store.records.insert("agent", agent({ ...fields, issue, name: `agent-${issue}` }));
    await store.records.insert("run", run({ agentId: made.id, issue, state: phase }));
    if (talk !== null)
      await store.records.insert(
        "session",
        session({ agentId: made.id, sessionId: `s-${issue}`, state: talk }),
      );
    const words = [made.state, made.state.toLowerCase(), phase, talk ?? "unspecified"];
    all.push({ name: made.name, words });
  };
  for (const state of AGENT_STATES) await stands({ state }, "executing", "stopped");
  for (const phase of RUN_STATES) await stands({ state: "ESCALATED", heldBy: ["person"] }, phase, null);
  for (const talk of [...SESSION_STATES, null]) await stands({ state: "ACTIVE" }, "planning", talk);
  await stands({ state: "SLEEPING", sleepReason: "paused" }, "paused", "paused");
  await stands({ state: "SLEEPING", sleepReason: "approval" }, "waiting_approval", "waiting_approval");
  await stands({ state: "SLEEPING", sleepReason: "blocked" }, "waiting_agent", "idle");
  for (const word of [...AGENT_STATES, ...RUN_STATES, ...SESSION_STATES, "completed"]) {
    const state = namedState(word);
    if (state === null) throw new Error(`no word ${word}`);
    const { names } = await allOf(store, { state }, 7);
    expect({ word, names: names.toSorted() }).toEqual({
      word,
      names: all.flatMap(({ name, words }) => (words.includes(word) ? [name] : [])).toSorted(),
    });
  }
});

const HARD: readonly AgentFilter[] = [
  {},
  { role: "nobody" },
  { tags: ["x"], role: "nobody" },
  { by: "alice", role: "nobody" },
  { state: { agent: "SLEEPING", run: null, session: null }, role: "nobody" },
  { state: { agent: "FAILED", run: "failed", session: "failed" }, role: "nobody" },
];

test("a page looks at no more agents where there are many, whatever is asked for, and says where it stopped", async () => {
  const { store, statements, growing } = watchedStore();
  await grow(store, 2500);
  statements();
  for (const filter of HARD) {
    const { names, pages } = await allOf(store, filter);
    expect(names).toHaveLength(filter.role === undefined ? 2500 : 0);
    expect(pages).toBeLessThan(8);
  }
  expect(statements().flatMap(growing)).toEqual([]);
  const one = await store.lists.agentsLike(
    { filter: { role: "nobody" }, repositories: null },
    { after: null, limit: 10 },
  );
  expect(one).toEqual({ rows: [], next: [2000] });
});

test("all pages together are the list once, in its order", async () => {
  const { store } = watchedStore();
  await grow(store, 300);
  const executing = namedState("executing");
  const asleep = namedState("SLEEPING");
  if (executing === null || asleep === null) throw new Error("no such words");
  for (const filter of [{}, { state: executing }, { state: asleep }, { role: "feat-dev" }]) {
    const { names } = await allOf(store, filter);
    expect(names.length).toBeGreaterThan(10);
    for (const limit of [1, 7, 100]) expect(await allOf(store, filter, limit)).toMatchObject({ names });
  }
});
