import { deflateRawSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { unpackedRows } from "../../../src/adapters/store/replay/inputs-known.ts";
import { openReplayInputs } from "../../../src/adapters/store/sqlite/open-inputs.ts";
import { dayOf } from "../../../src/domain/breakers/day-budget.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { AT } from "../../factories/moment.ts";
import { effect, insertAgent, repository, task } from "./samples.ts";

async function aStore(): Promise<OpenStore> {
  const store = memoryStore();
  onTestFinished(() => store.close());
  return store;
}

const GROUND = { repositoryId: 7, issue: 1, at: AT, answers: { "issue(acme/shop, 1)": { answer: null } } };
const DECISION = {
  at: AT,
  repositoryId: 7,
  issue: 1,
  agentId: null,
  rule: "slot",
  change: null,
  inputs: {},
} as const;

test("what was written between the beginning and the end is the outcome, and nothing around it", async () => {
  const store = await aStore();
  const decide = (reason: string) => store.decisions.add({ ...DECISION, reason, delivery: "d1" });
  await decide("before");
  expect(await store.replayInputs.outcome("d1")).toBeUndefined();
  await store.replayInputs.begin({ ...GROUND, guid: "d1" });
  await decide("within");
  expect(await store.replayInputs.outcome("d1")).toBeUndefined();
  await store.replayInputs.end("d1");
  await decide("after");
  expect(await store.replayInputs.outcome("d1")).toEqual({
    transitions: [],
    decisions: [{ rule: "slot", agentId: null, reason: "within", change: null }],
    effects: [],
    wakes: [],
  });
  await store.replayInputs.begin({ ...GROUND, guid: "d1" });
  await decide("again");
  await store.replayInputs.end("d1");
  expect((await store.replayInputs.outcome("d1"))?.decisions).toMatchObject([{ reason: "again" }]);
});

test("a store of what was known holds the rows that the decision rests on, and numbers new ones as then", async () => {
  const store = await aStore();
  await store.repositories.put(repository);
  const live = await insertAgent(store, { repositoryId: 7, issue: 1 });
  const gone = await insertAgent(store, { repositoryId: 7, issue: 2, name: "gone", state: "COMPLETED" });
  const last = await insertAgent(store, { repositoryId: 7, issue: 3, name: "last", state: "COMPLETED" });
  await store.replayInputs.begin({ ...GROUND, guid: "d1" });
  const ground = await store.replayInputs.get("d1");
  expect(ground).toMatchObject(GROUND);
  const then = openReplayInputs(ground?.known ?? new Uint8Array());
  onTestFinished(() => then.close());
  expect(await then.records.get("agent", live.id)).toEqual(await store.records.get("agent", live.id));
  expect(await then.records.get("agent", gone.id)).toBeUndefined();
  expect((await then.records.get("agent", last.id))?.id).toBe(last.id);
  const born = await insertAgent(then, { repositoryId: 7, issue: 4, name: "born" });
  expect(born.id).toBe(last.id + 1);
});

test("other issues' agents are kept where a decision looks at them, and no sleeper beside", async () => {
  const store = await aStore();
  const of = (issue: number, fields: Parameters<typeof insertAgent>[1]) =>
    insertAgent(store, { repositoryId: 7, issue, ...fields });
  const own = await of(1, { state: "SLEEPING" });
  const reported = await of(2, { state: "SLEEPING", blockedBy: [1] });
  const linked = await of(3, { state: "CREATED" });
  const active = await of(4, { state: "ACTIVE" });
  const stopping = await of(5, { state: "SLEEPING" });
  const awaiting = await of(6, { state: "SLEEPING", prNumber: 60 });
  const child = await of(7, { state: "SLEEPING", parentAgentId: own.id });
  const bystander = await of(8, { state: "SLEEPING", blockedBy: [9] });
  await of(10, { state: "COMPLETED" });
  const link = { repository: "acme/rocket", number: 1, open: true };
  await store.blockers.put({ repositoryId: 7, issue: 3, blockers: [link], linked: true, readAt: AT });
  await store.effects.add([
    effect({
      key: "stop",
      agentId: stopping.id,
      issue: 5,
      payload: { kind: "close_session", checkpoint: false, destroy: false },
    }),
  ]);
  await store.records.insert(
    "task",
    task({ repositoryId: 7, issue: 6, state: "APPROVED", assigneeId: awaiting.id }),
  );
  await store.seenPulls.put({ repositoryId: 7, pull: 60, openedAt: AT, changedLines: 3, asked: ["ada"] });
  const call = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costMicroUsd: 21, at: AT };
  await store.usage.add({ ...call, agentId: bystander.id });
  await store.replayInputs.begin({ ...GROUND, guid: "d1" });
  const then = openReplayInputs((await store.replayInputs.get("d1"))?.known ?? new Uint8Array());
  onTestFinished(() => then.close());
  for (const { id } of [own, reported, linked, active, stopping, awaiting, child])
    expect(await then.records.get("agent", id)).toEqual(await store.records.get("agent", id));
  expect(await then.records.get("agent", bystander.id)).toBeUndefined();
  expect(await then.blockers.reportedBy(7, 1)).toEqual([reported.id]);
  expect(await then.blockers.blocking(link)).toEqual(await store.blockers.blocking(link));
  expect(await then.records.slotsInUse()).toBe(2);
  expect(await then.seenPulls.ofRepositories([7])).toHaveLength(1);
  expect(await then.budget.spent(7, dayOf(AT))).toBe(21);
});

test("what is kept does not grow with those who sleep for something else; too many who wait are not kept", async () => {
  const store = await aStore();
  const sleepers = async (from: number, to: number, blockedBy: number) => {
    for (let issue = from; issue < to; issue += 1)
      await insertAgent(store, { repositoryId: 7, issue, state: "SLEEPING", blockedBy: [blockedBy] });
  };
  const kept = async () => {
    await store.replayInputs.begin({ ...GROUND, guid: "d1" });
    const known = (await store.replayInputs.get("d1"))?.known;
    return known ? (unpackedRows(known)["agent"]?.rows.length ?? 0) : null;
  };
  await sleepers(2, 4, 900);
  expect(await kept()).toBe(1);
  await sleepers(4, 120, 900);
  expect(await kept()).toBe(1);
  await sleepers(2000, 2003, 1);
  expect(await kept()).toBe(3);
  await sleepers(2003, 3002, 1);
  expect(await kept()).toBeNull();
}, 60_000);

test("what another version kept is refused and not guessed", () => {
  expect(() => openReplayInputs(deflateRawSync('{"agent":{"columns":["id"],"rows":[[1]]}}'))).toThrow(
    /another form/,
  );
  expect(() => openReplayInputs(deflateRawSync('{"no_such_table":{"columns":["id"],"rows":[[1]]}}'))).toThrow(
    /another form/,
  );
  expect(() => openReplayInputs(deflateRawSync("{"))).toThrow(/another form/);
  expect(() => openReplayInputs(Buffer.from("{}"))).toThrow(/another form/);
});

test("a table that is gone and held nothing hinders no replay", async () => {
  const then = openReplayInputs(deflateRawSync('{"no_such_table":{"columns":["id"],"rows":[]}}'));
  onTestFinished(() => then.close());
  expect(await then.records.find("agent", {})).toEqual([]);
});

test("rows that are too many are not kept, and what belongs to no issue is none of the latest", async () => {
  const store = await aStore();
  await store.replayInputs.begin({ ...GROUND, guid: "few", issue: 0, at: AT + 1 });
  expect((await store.replayInputs.get("few"))?.known).toBeInstanceOf(Uint8Array);
  await store.decisions.add({ ...DECISION, reason: "x".repeat(500_001), delivery: null });
  await store.replayInputs.begin({ ...GROUND, guid: "many" });
  expect((await store.replayInputs.get("many"))?.known).toBeNull();
  expect(await store.replayInputs.latestIssues(7, 10)).toEqual([1]);
});

test("too much is not kept, an ignored delivery has no rows, and what is old is forgotten", async () => {
  const store = await aStore();
  const answers = { 'checks(acme/shop, "main")': { answer: "x".repeat(500_000) } };
  await store.replayInputs.begin({ ...GROUND, guid: "long", at: AT - 2, answers });
  expect((await store.replayInputs.get("long"))?.answers).toEqual({});
  const refused = { "permission(acme/shop, {})": { refused: { code: "unavailable", message: "down" } } };
  await store.replayInputs.ignored({ guid: "ignored", at: AT - 1, answers: refused });
  expect(await store.replayInputs.get("ignored")).toEqual({
    guid: "ignored",
    repositoryId: null,
    issue: null,
    at: AT - 1,
    answers: refused,
    known: null,
  });
  await store.replayInputs.begin({ ...GROUND, guid: "new" });
  await store.replayInputs.begin({ ...GROUND, guid: "other", issue: 2, at: AT + 1 });
  expect(await store.replayInputs.ofIssue(7, 1)).toEqual(["long", "new"]);
  expect(await store.replayInputs.latestIssues(7, 10)).toEqual([2, 1]);
  expect(await store.replayInputs.latestIssues(7, 1)).toEqual([2]);
  await store.replayInputs.drop(AT, 1);
  expect(await store.replayInputs.get("long")).toBeUndefined();
  await store.replayInputs.drop(AT, 10);
  expect(await store.replayInputs.get("ignored")).toBeUndefined();
  expect(await store.replayInputs.get("new")).toBeDefined();
});

test("what was kept of decisions goes in batches that end behind 4 MiB, whatever the limit of rows", async () => {
  const store = await aStore();
  const answers = { checks: { answer: "x".repeat(490_000) } };
  for (let index = 0; index < 10; index += 1)
    await store.replayInputs.ignored({ guid: `g${index}`, at: index, answers });
  await store.replayInputs.drop(AT, 100);
  expect(await store.replayInputs.get("g8")).toBeUndefined();
  expect(await store.replayInputs.get("g9")).toBeDefined();
});
