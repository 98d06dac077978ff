import { expect, it, test } from "vitest";
import { observedStore } from "../../../src/adapters/store/observed-store.ts";
import type { Violation } from "../../../src/domain/ports/settings-tables.ts";
import { WATCH_MS } from "../../../src/domain/recovery/canary.ts";
import { writtenRoles } from "../../../src/domain/recovery/node-roles.ts";
import { CanaryWatch } from "../../../src/engine/recovery/canary-watch.ts";
import { OwnOutcomes } from "../../../src/engine/recovery/own-outcomes.ts";
import { effect, insertAgent } from "../../adapters/store/samples.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import type { Rig } from "../rig.ts";
import { NODE } from "../without-delimiters.ts";
import { OTHER, seconds, tick, twoNodes } from "./two-nodes.ts";

/** Two nodes, of which the second one is of a newer version. */
const withCanary = () => twoNodes({}, { wrapped: (given) => ({ ...given, version: "1.3.0" }) });

const failed = (rig: Rig, times: number) => {
  for (let left = times; left > 0; left -= 1) rig.outcomes.effects.add(true);
};

const rowOf = async (rig: Rig, name: string) =>
  (await rig.store.nodes.list()).find((row) => row.name === name);

const WHY = "3 of the 3 effects that it carried out failed for good";

it("a machine of a new version whose effects fail takes no more work, and says why", async () => {
  const { one, two } = await withCanary();
  failed(two, 2);
  await tick(two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainUntil: null, drainReason: null });
  failed(two, 1);
  await tick(two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainUntil: expect.any(Number), drainReason: WHY });
  expect([two.engine.mayTake(), one.engine.mayTake()]).toEqual([false, true]);
  expect(two.logged.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("takes no more work: read its log"),
  );
});

it("a person lets it go on, and it does not stop a second time", async () => {
  const { one, two } = await withCanary();
  failed(two, 3);
  await tick(two);
  await two.engine.operations.drain({ node: undefined, withinMs: null, by: "operator:ops" });
  failed(two, 3);
  await seconds(8, one, two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainUntil: null, drainReason: null });
  expect(two.engine.mayTake()).toBe(true);
});

it("a machine of a new version is watched also beside a newer one that takes no work", async () => {
  const { one, two } = await withCanary();
  const newer = {
    name: "build-9",
    version: "1.4.0",
    reads: 99,
    roles: writtenRoles(new Set(["controller"])),
    publicKey: null,
    memoryBytes: null,
  };
  const epoch = await one.store.nodes.begin({ ...newer, now: one.clock.now() });
  await one.store.nodes.drain({ name: newer.name, epoch }, one.clock.now(), null);
  await seconds(4, one, two);
  failed(two, 3);
  await seconds(8, one, two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainReason: WHY });
});

it("a machine of the version of the others goes on, whatever fails", async () => {
  const { one, two } = await twoNodes();
  failed(two, 9);
  failed(one, 9);
  await seconds(8, one, two);
  expect((await one.store.nodes.list()).map(({ name, drainUntil }) => [name, drainUntil])).toEqual([
    [NODE, null],
    [OTHER, null],
  ]);
});

it("a machine whose work no other machine can do goes on", async () => {
  const { one, two } = await twoNodes(
    { roles: ["controller"] },
    { wrapped: (given) => ({ ...given, version: "1.3.0" }) },
  );
  failed(two, 3);
  await seconds(8, one, two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainUntil: null });
});

it("a machine of a new version that has run for a while goes on", async () => {
  const { one, two } = await withCanary();
  one.clock.advance(WATCH_MS);
  await seconds(8, one, two);
  failed(two, 3);
  await seconds(8, one, two);
  expect(await rowOf(one, OTHER)).toMatchObject({ drainUntil: null });
});

/** The watch of a machine that is the first of its version, on a database that breaks these rules. */
function watched(rules: { found: readonly Violation[] }) {
  const drains: (string | null)[] = [];
  let now = 0;
  const context = {
    clock: { now: () => now, after: () => () => {} },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    node: "canary",
    version: "1.3.0",
    settings: { reconcileEveryMs: 1000 },
    changed: () => {},
  };
  const watch = new CanaryWatch(context, {
    nodes: {
      isCanary: true,
      drain: async (_, reason) => {
        drains.push(reason ?? null);
      },
    },
    broken: { found: async () => rules.found },
    outcomes: new OwnOutcomes(),
  });
  const after = async (ms: number) => {
    now += ms;
    await watch.round();
    return drains;
  };
  return { after };
}

const broken = (...ids: readonly number[]): readonly Violation[] => [
  { rule: "one_coder", table: "agent", ids },
];

test("a rule that was broken before counts for nothing; the first one that breaks then stops the machine", async () => {
  const rules = { found: broken(1) };
  const { after } = watched(rules);
  expect(await after(0)).toEqual([]);
  expect(await after(1000)).toEqual([]);
  rules.found = broken(1, 2);
  expect(await after(500)).toEqual([]);
  expect(await after(500)).toEqual(["rows in the database break the rule one_coder since it began"]);
  expect(await after(1000)).toHaveLength(1);
});

test("what this process settles is counted, and what failed of it", async () => {
  const outcomes = new OwnOutcomes();
  const store = observedStore(memoryStore(), [outcomes.observe], { error: () => {} });
  await insertAgent(store);
  await store.effects.add([effect({ key: "a" }), effect({ key: "b", lane: "other" })]);
  const leased = await store.effects.lease({
    now: 10,
    leaseMs: () => 1000,
    limit: 2,
    token: "t",
    node: "one",
  });
  for (const [index, { id }] of leased.entries()) {
    const state = index === 0 ? "done" : "failed";
    await store.effects.settle(id, "t", { state, result: null, error: null, at: 11 });
    await store.effects.settle(id, "t", { state, result: null, error: null, at: 12 });
  }
  expect(outcomes).toMatchObject({ effects: { all: 2, failed: 1 }, deliveries: { all: 0, failed: 0 } });
});
