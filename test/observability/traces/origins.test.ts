import { expect, it, onTestFinished } from "vitest";
import type { EffectRow } from "../../../src/domain/kernel/rows.ts";
import { Origins } from "../../../src/observability/traces/origins.ts";
import { rootOf } from "../../../src/observability/traces/trace-ids.ts";
import { REPOSITORY } from "../../engine/rig.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { anAgent } from "../../factories/records.ts";
import { DELIVERY } from "./a-delivery.ts";

type Asked = Parameters<Origins["ofEffect"]>[0];

const OURS = { repositoryId: 7, issue: 3 };
const MOVED = {
  ...OURS,
  actor: "alice",
  event: "OPEN",
  from: "",
  to: "UNCLAIMED",
  reason: null,
  evidence: null,
};

/** With agents 1 to 3 of the issue. */
async function aStore() {
  const store = memoryStore();
  onTestFinished(() => store.close());
  await store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  for (const name of ["a-1", "a-2", "a-3"])
    await store.records.insert("agent", anAgent({ ...OURS, state: "COMPLETED", name, branch: name }));
  return store;
}

const asked = (key: string, more: Partial<Asked> = {}): Asked => ({
  key,
  agentId: null,
  createdAt: 50,
  ...OURS,
  ...more,
});

it("finds the delivery in the name of what followed from it, where there is such a delivery", async () => {
  const store = await aStore();
  await store.deliveries.insert([DELIVERY]);
  const origins = new Origins(store);
  expect(await origins.ofEffect(asked("d-1:7#3:0:status_comment"))).toEqual({
    delivery: "d-1",
    root: rootOf("delivery d-1"),
  });
  expect(await origins.ofEffect(asked("d-2:7#3:0:status_comment"))).toMatchObject({ delivery: null });
});

it("follows an act that came of an act", async () => {
  const store = await aStore();
  await store.deliveries.insert([DELIVERY]);
  const payload: EffectRow["payload"] = { kind: "task_label" };
  const [first] = await store.effects.add([
    {
      ...OURS,
      key: "d-1:7#3:0:task_label",
      lane: "issue:7#3",
      agentId: null,
      token: null,
      payload,
      createdAt: 1,
    },
  ]);
  expect(await new Origins(store).ofEffect(asked(`effect-${first}:7#3:0:status_comment`))).toMatchObject({
    delivery: "d-1",
  });
});

it("takes for what no name tells the last delivery before it that moved something on the issue", async () => {
  const store = await aStore();
  const machine = { ...MOVED, machine: "task", recordId: 1, agentId: null } as const;
  for (const [at, delivery] of [
    [10, "d-1"],
    [20, "d-2"],
    [30, null],
    [60, "d-3"],
  ] as const)
    await store.transitions.add({ ...machine, at, delivery });
  const origins = new Origins(store);
  expect(await origins.ofEffect(asked("task-1:v2:label"))).toMatchObject({ delivery: "d-2" });
  expect(await origins.ofEffect(asked("task-1:v1:label", { issue: 4 }))).toEqual({
    delivery: null,
    root: rootOf("task-1:v1:label"),
  });
});

it("takes for an agent the delivery that made it, and where an act did that, the last one before", async () => {
  const store = await aStore();
  const made = { ...MOVED, machine: "agent", event: "CREATE", to: "CREATED" } as const;
  await store.transitions.add({ ...made, recordId: 1, agentId: 1, at: 10, delivery: "d-1" });
  await store.transitions.add({ ...made, recordId: 2, agentId: 2, at: 20, delivery: null });
  await store.transitions.add({ ...made, recordId: 3, agentId: 3, at: 30, delivery: "d-3" });
  const origins = new Origins(store);
  const of = async (agentId: number) =>
    (await origins.ofEffect(asked("agent-1:v1:0:x", { agentId }))).delivery;
  expect([await of(1), await of(2), await of(3), await of(4)]).toEqual(["d-1", "d-1", "d-3", null]);
});

it("makes a trace of its own of a look that time alone asks for, whosever it is", async () => {
  const store = await aStore();
  const made = { ...MOVED, machine: "agent", recordId: 1, agentId: 1 } as const;
  await store.transitions.add({ ...made, at: 10, delivery: "d-1" });
  const origins = new Origins(store);
  for (const key of ["issue-poll:7#3:12", "checks-poll:1:12", "train:7:abc:1", "catch-up:1:7#3"])
    expect(await origins.ofEffect(asked(key, { agentId: 1 }))).toEqual({ delivery: null, root: rootOf(key) });
});
