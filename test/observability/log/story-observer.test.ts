import { beforeEach, expect, it, onTestFinished } from "vitest";
import { observedStore } from "../../../src/adapters/store/observed-store.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { storyInto } from "../../../src/observability/log/story-observer.ts";
import { delivery, effect, insertAgent, repository, wake } from "../../adapters/store/samples.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { memoryStore } from "../../factories/memory-store.ts";

let lines: string[];
let store: Store;

beforeEach(() => {
  lines = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(JSON.stringify({ level, ...fields, message }));
  };
  const log = { info: write("info"), debug: write("debug") };
  store = observedStore(memoryStore(), [storyInto(log)], {
    error: (_, message) => expect.unreachable(message),
  });
  onTestFinished(() => store.close());
});

const told = () => lines.map((line): unknown => JSON.parse(line));

const move = {
  machine: "agent",
  repositoryId: repository.id,
  issue: 42,
  actor: "flotilla",
  event: "ANY",
  from: "ACTIVE",
  reason: null,
  evidence: null,
  delivery: null,
  at: 1,
} as const;
const decision = {
  at: 1,
  repositoryId: repository.id,
  issue: 42,
  agentId: null,
  rule: "nothing_stopped",
  reason: "nobody is stopped by a limit",
  change: null,
  inputs: {},
  delivery: "d-1",
} as const;
const reaction = (taken: boolean) =>
  effect({
    key: "react",
    payload: {
      kind: "react",
      commentId: 1,
      place: "issue",
      reaction: taken ? "+1" : "confused",
      command: { verb: "budget", by: "mona", delivery: "d-1" },
    },
  });

it("an agent's move, with its name, its place and why", async () => {
  await store.repositories.put(repository);
  const { id } = await insertAgent(store, { breaker: "max_turns" });
  const moved = { ...move, recordId: id, agentId: id };
  await store.transitions.add({
    ...moved,
    event: "WAIT",
    to: "SLEEPING",
    reason: "approval: 50 of 50 turns",
  });
  expect(told()).toEqual([
    {
      level: "info",
      where: "acme/rocket#42",
      repository: repository.id,
      issue: 42,
      agent: "feat-dev-issue-42",
      what: "has reached a limit",
      why: "max_turns: 50 of 50 turns",
      message: "moved",
    },
  ]);
});

it("a move of the issue's work, which no agent is named for", async () => {
  await store.repositories.put(repository);
  const { id } = await insertAgent(store);
  await store.transitions.add({
    ...move,
    machine: "task",
    recordId: 1,
    agentId: id,
    actor: "mona",
    from: "APPROVED",
    to: "MERGED",
  });
  expect(told()).toEqual([
    expect.objectContaining({ where: "acme/rocket#42", what: "work is merged", by: "mona" }),
  ]);
  expect(told()[0]).not.toHaveProperty("agent");
});

it("nothing that was rolled back", async () => {
  const { id } = await insertAgent(store);
  const work = store.transaction(async (tables) => {
    await tables.transitions.add({ ...move, recordId: id, agentId: id, to: "COMPLETED" });
    throw new Error("rolled back");
  });
  await expect(work).rejects.toThrow("rolled back");
  expect(told()).toEqual([]);
});

it("a refused command with who said it and why, in one line", async () => {
  await store.repositories.put(repository);
  await store.transaction(async (tables) => {
    await tables.decisions.add(decision);
    await tables.effects.add([reaction(false)], "d-1");
  });
  expect(told()).toEqual([
    expect.objectContaining({
      level: "info",
      what: "/flotilla budget is refused",
      why: "nobody is stopped by a limit",
      by: "mona",
    }),
  ]);
});

it("a command that was carried out, beside a decision about something else", async () => {
  await store.repositories.put(repository);
  await store.transaction(async (tables) => {
    await tables.decisions.add({ ...decision, delivery: "d-2" });
    await tables.effects.add([reaction(true)], "d-1");
  });
  expect(told()).toEqual([
    expect.objectContaining({ what: "nothing to raise", why: "nobody is stopped by a limit" }),
    expect.objectContaining({ what: "/flotilla budget is carried out", by: "mona" }),
  ]);
});

it("a decision once, and only at debug one that nobody can do anything about", async () => {
  await store.repositories.put(repository);
  await store.decisions.add(decision);
  await store.decisions.add(decision);
  await store.decisions.add({ ...decision, rule: "own_act" });
  expect(told()).toEqual([
    expect.objectContaining({ level: "info", what: "nothing to raise" }),
    expect.objectContaining({ level: "debug", what: "own_act" }),
  ]);
});

it("a pull request that was opened, and none that was not", async () => {
  await store.repositories.put(repository);
  const { id: agentId } = await insertAgent(store);
  const payload = { kind: "open_pr", title: "t", body: "b" } as const;
  await store.effects.add([
    effect({ key: "a", lane: "a", agentId, payload }),
    effect({ key: "b", lane: "b", agentId, payload }),
  ]);
  const [one, other] = await store.effects.lease({ ...OURS, now: 5000, leaseMs: () => 1000, limit: 8 });
  const outcome = { error: null, at: 1, result: { number: 5 } };
  await store.effects.settle(one?.id ?? 0, OURS.token, { ...outcome, state: "done" });
  await store.effects.settle(other?.id ?? 0, OURS.token, { ...outcome, state: "failed" });
  expect(told()).toEqual([
    expect.objectContaining({ agent: "feat-dev-issue-42", what: "opens a pull request", why: "#5" }),
  ]);
});

it("what a person tells an agent, at the agent's issue", async () => {
  await store.repositories.put(repository);
  const { id: agentId } = await insertAgent(store);
  await store.wakes.add(wake({ key: "w", agentId, reason: "answer", detail: "@mona: MIT" }));
  await store.wakes.add(wake({ key: "w", agentId, reason: "answer", detail: "@mona: MIT" }));
  expect(told()).toEqual([
    expect.objectContaining({ where: "acme/rocket#42", what: "gets an answer", why: "@mona: MIT" }),
  ]);
});

it("a webhook that is ignored at debug alone", async () => {
  await store.deliveries.insert([delivery({ guid: "a" })]);
  await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 8 });
  await store.deliveries.settle("a", OURS.token, "ignored", "it is our own", 1);
  expect(told()).toEqual([
    { level: "debug", delivery: "a", why: "it is our own", message: "webhook ignored" },
  ]);
});

it("the name that a repository has now", async () => {
  await store.repositories.put(repository);
  await store.decisions.add(decision);
  await store.repositories.put({ ...repository, name: "shuttle" });
  await store.decisions.add({ ...decision, reason: "another" });
  expect(told()).toEqual([
    expect.objectContaining({ where: "acme/rocket#42" }),
    expect.objectContaining({ where: "acme/shuttle#42" }),
  ]);
});
