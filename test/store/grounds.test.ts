import { deflateRawSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type OpenStore, openStore } from "../../src/store/open.ts";
import { openGround } from "../../src/store/open-ground.ts";
import { AT } from "../factories/moment.ts";
import { insertAgent, repository } from "./samples.ts";

async function aStore(): Promise<OpenStore> {
  const store = await openStore({ path: ":memory:" });
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
  const decide = (reason: string) => store.decisions.add({ ...DECISION, reason, delivery: reason });
  await decide("before");
  expect(await store.grounds.outcome("d1")).toBeUndefined();
  await store.grounds.begin({ ...GROUND, guid: "d1" });
  await decide("within");
  expect(await store.grounds.outcome("d1")).toBeUndefined();
  await store.grounds.end("d1");
  await decide("after");
  expect(await store.grounds.outcome("d1")).toEqual({
    transitions: [],
    decisions: [{ rule: "slot", agentId: null, reason: "within", change: null }],
    effects: [],
    wakes: [],
  });
  await store.grounds.begin({ ...GROUND, guid: "d1" });
  await decide("again");
  await store.grounds.end("d1");
  expect((await store.grounds.outcome("d1"))?.decisions).toMatchObject([{ reason: "again" }]);
});

test("a store of what was known holds the rows that the decision rests on, and numbers new ones as then", async () => {
  const store = await aStore();
  await store.repositories.put(repository);
  const live = await insertAgent(store, { repositoryId: 7, issue: 1 });
  const gone = await insertAgent(store, { repositoryId: 7, issue: 2, name: "gone", state: "COMPLETED" });
  const last = await insertAgent(store, { repositoryId: 7, issue: 3, name: "last", state: "COMPLETED" });
  await store.grounds.begin({ ...GROUND, guid: "d1" });
  const ground = await store.grounds.get("d1");
  expect(ground).toMatchObject(GROUND);
  const then = openGround(ground?.known ?? new Uint8Array());
  onTestFinished(() => then.close());
  expect(await then.records.get("agent", live.id)).toEqual(await store.records.get("agent", live.id));
  expect(await then.records.get("agent", gone.id)).toBeUndefined();
  expect((await then.records.get("agent", last.id))?.id).toBe(last.id);
  const born = await insertAgent(then, { repositoryId: 7, issue: 4, name: "born" });
  expect(born.id).toBe(last.id + 1);
});

test("what another version kept is refused and not guessed", () => {
  expect(() => openGround(deflateRawSync('{"agent":{"columns":["id"],"rows":[[1]]}}'))).toThrow(
    /another form/,
  );
  expect(() => openGround(deflateRawSync('{"no_such_table":{"columns":["id"],"rows":[[1]]}}'))).toThrow(
    /another form/,
  );
  expect(() => openGround(deflateRawSync("{"))).toThrow(/another form/);
  expect(() => openGround(Buffer.from("{}"))).toThrow(/another form/);
});

test("a table that is gone and held nothing hinders no replay", async () => {
  const then = openGround(deflateRawSync('{"no_such_table":{"columns":["id"],"rows":[]}}'));
  onTestFinished(() => then.close());
  expect(await then.records.find("agent", {})).toEqual([]);
});

test("rows that are too many are not kept, and what belongs to no issue is none of the latest", async () => {
  const store = await aStore();
  await store.grounds.begin({ ...GROUND, guid: "few", issue: 0, at: AT + 1 });
  expect((await store.grounds.get("few"))?.known).toBeInstanceOf(Uint8Array);
  await store.decisions.add({ ...DECISION, reason: "x".repeat(500_001), delivery: null });
  await store.grounds.begin({ ...GROUND, guid: "many" });
  expect((await store.grounds.get("many"))?.known).toBeNull();
  expect(await store.grounds.latestIssues(7, 10)).toEqual([1]);
});

test("too much is not kept, an ignored delivery has no rows, and what is old is forgotten", async () => {
  const store = await aStore();
  const answers = { 'checks(acme/shop, "main")': { answer: "x".repeat(500_000) } };
  await store.grounds.begin({ ...GROUND, guid: "long", at: AT - 2, answers });
  expect((await store.grounds.get("long"))?.answers).toEqual({});
  const refused = { "permission(acme/shop, {})": { refused: { code: "unavailable", message: "down" } } };
  await store.grounds.ignored({ guid: "ignored", at: AT - 1, answers: refused });
  expect(await store.grounds.get("ignored")).toEqual({
    guid: "ignored",
    repositoryId: null,
    issue: null,
    at: AT - 1,
    answers: refused,
    known: null,
  });
  await store.grounds.begin({ ...GROUND, guid: "new" });
  await store.grounds.begin({ ...GROUND, guid: "other", issue: 2, at: AT + 1 });
  expect(await store.grounds.ofIssue(7, 1)).toEqual(["long", "new"]);
  expect(await store.grounds.latestIssues(7, 10)).toEqual([2, 1]);
  expect(await store.grounds.latestIssues(7, 1)).toEqual([2]);
  await store.grounds.drop(AT, 1);
  expect(await store.grounds.get("long")).toBeUndefined();
  await store.grounds.drop(AT, 10);
  expect(await store.grounds.get("ignored")).toBeUndefined();
  expect(await store.grounds.get("new")).toBeDefined();
});
