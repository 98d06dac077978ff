import { expect, it } from "vitest";
import { DatabaseUnreachable } from "../../../src/domain/kernel/errors.ts";
import { LEASE_MS } from "../../../src/domain/recovery/node.ts";
import { lostNodes } from "../../../src/engine/recovery/lost-nodes.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { newDelivery } from "../../webhooks/memory-inbox.ts";
import { agentOf, historyOf, sessionsOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled } from "../people.ts";
import type { Rig, RigOptions } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";
import { NODE } from "../without-delimiters.ts";
import { OTHER, seconds, tick, twoNodes } from "./two-nodes.ts";

const LEASE_S = LEASE_MS / 1000;
const slow = [on(1, slowly(HOUR, edit()))];

/** An agent at work on the first of two nodes. */
async function atWork(options: RigOptions = {}): Promise<{ readonly one: Rig; readonly two: Rig }> {
  const { one, two } = await twoNodes({ ...options, script: slow }, { ...options, script: [on(1, ...work)] });
  await one.engine.handle(labeled(one, 1));
  await one.until("it talks", () => one.runtime.requests.length === 1);
  return { one, two };
}

it("another node leaves an agent alone whose process it does not see", async () => {
  const { one, two } = await atWork();
  await seconds(40, one, two);
  // Its lease is renewed by its own node alone, and it does not seem lost to the other one.
  expect(await agentOf(one)).toMatchObject({ state: "ACTIVE", node: NODE, restarts: 0 });
  expect(two.runtime.requests).toEqual([]);
});

it("agents of a lost node are put to rest within a lease and a renewal, and continue on another one", async () => {
  const { one, two } = await atWork();
  one.life.end();
  await seconds(LEASE_S - 1, two);
  expect(await stateOf(two)).toBe("ACTIVE");
  await seconds(6, two);
  expect(await historyOf(two)).toContain("SLEEPING");
  await two.idle();
  await seconds(2, two);
  await two.until("it talks there", () => two.runtime.requests.length > 0);
  await two.idle();
  const moves = await two.store.transitions.ofAgent((await agentOf(two)).id);
  expect(moves.find(({ to }) => to === "SLEEPING")?.reason).toContain("its machine gave no sign of life");
  expect(await agentOf(two)).toMatchObject({ node: OTHER });
  expect(await stateOf(two)).not.toBe("ACTIVE");
});

it("an agent that was moved, and is put to rest before its worktree is there, leaves nothing to save", async () => {
  const { one, two } = await atWork();
  one.life.end();
  const prepare = methodOf(two.worktrees, "prepare");
  two.worktrees.prepare = () => {
    two.life.end();
    return new Promise(() => {});
  };
  await Promise.race([seconds(2 * LEASE_S, two), two.life.ended]);
  expect(two.life.over).toBe(true);
  two.worktrees.prepare = prepare;
  await two.restart();
  await seconds(LEASE_S, two);
  await two.until("it is done there", async () => (await stateOf(two)) !== "ACTIVE");
  expect(await historyOf(two)).toEqual([
    "CREATED",
    "ACTIVE",
    "SLEEPING",
    "ACTIVE",
    "SLEEPING",
    "ACTIVE",
    "COMPLETED",
  ]);
  expect(await two.store.effects.find({ state: ["failed"] })).toEqual([]);
});

it("a node that may not judge yet takes no other one for lost", async () => {
  const { one, two } = await atWork();
  one.life.end();
  two.clock.advance(LEASE_MS + 1);
  const nodes = {
    isElsewhere: () => false,
    mayGoOn: true,
    isDraining: false,
    leavesToOthers: false,
    isBesideNewer: false,
    otherRunners: () => [],
  };
  const lost = (mayJudge: boolean) => lostNodes({ ...two.context, nodes: { ...nodes, mayJudge } });
  await lost(false)();
  expect(await stateOf(two)).toBe("ACTIVE");
  await lost(true)();
  expect(await stateOf(two)).toBe("SLEEPING");
});

it("an agent of a lost node is not held as broken by a node that was away as long and may not judge yet", async () => {
  // The rig's own look at the rules would find the lease that is over.
  const { one, two } = await atWork({ watched: false });
  one.life.end();
  two.clock.advance(10 * MINUTE);
  await tick(two);
  expect(await agentOf(two)).toMatchObject({ state: "ACTIVE", heldBy: [] });
  await seconds(LEASE_S + 6, two);
  expect(await historyOf(two)).toContain("SLEEPING");
  expect((await agentOf(two)).heldBy).toEqual([]);
  expect(two.logged.filter(({ level }) => level === "error")).toEqual([]);
});

it("an agent of a node that has just begun again is held as broken only if that node leaves it as it is", async () => {
  const { one, two } = await atWork({ watched: false });
  one.life.end();
  two.clock.advance(10 * MINUTE);
  const life = {
    name: NODE,
    version: "1.2.3",
    reads: 1,
    roles: "runner",
    publicKey: null,
    memoryBytes: null,
  };
  const epoch = await two.store.nodes.begin({ ...life, now: two.clock.now() });
  await tick(two);
  expect(await agentOf(two)).toMatchObject({ state: "ACTIVE", heldBy: [] });
  two.clock.advance(10 * MINUTE);
  await two.store.nodes.seen({ name: NODE, epoch }, two.clock.now(), null);
  await tick(two);
  expect((await agentOf(two)).heldBy).toEqual(["invariant"]);
});

it("a node that was only slow ends the processes of agents that others have put to rest, and begins again", async () => {
  const { one, two } = await atWork();
  const token = (await agentOf(one)).token;
  await seconds(LEASE_S + 6, two);
  await two.until("it is taken over", async () => {
    await seconds(4, two);
    return (await agentOf(two)).token > token;
  });
  expect(one.runtime.running.size).toBe(1);
  await tick(one);
  await one.until("its process is gone", () => one.runtime.running.size === 0);
  expect((await sessionsOf(one)).length).toBeGreaterThan(0);
});

/** A round of a node that does not reach the database. */
async function cutTick(rig: Rig): Promise<void> {
  const { nodes } = rig.store;
  const time = methodOf(nodes, "time");
  const gone = new DatabaseUnreachable("gone", { retryAt: 0, advice: "", cause: null });
  nodes.time = () => Promise.reject(gone);
  await expect(tick(rig)).rejects.toThrow(DatabaseUnreachable);
  nodes.time = time;
}

it("a node that is cut off from the database ends its agents before others take them over", async () => {
  const { one, two } = await atWork();
  await seconds(8, one, two);
  await seconds(12, two);
  await cutTick(one);
  expect(one.runtime.running.size).toBe(1);
  await seconds(4, two);
  await cutTick(one);
  await one.until("its process is gone", () => one.runtime.running.size === 0);
  expect(await agentOf(two)).toMatchObject({ state: "ACTIVE", node: NODE });
  await seconds(12, two);
  await two.until("it talks there", () => two.runtime.requests.length > 0);
  await two.idle();
  expect(await agentOf(two)).toMatchObject({ node: OTHER, state: "COMPLETED" });
});

it("a node that is cut off also ends an agent whose turn has ended there, unwritten", async () => {
  let isAway = false;
  const script = [on(1, ...work)];
  const { one, two } = await twoNodes(
    {
      script,
      wrapped: (given) => ({
        ...given,
        store: {
          ...given.store,
          transaction: (body) => (isAway ? Promise.reject(new Error("gone")) : given.store.transaction(body)),
        },
      }),
    },
    { script },
  );
  one.onCrashPoint = (point) => {
    if (point === "turn:ended") isAway = true;
  };
  await seconds(8, one, two);
  await one.engine.handle(labeled(one, 1));
  await one.until("its turn has ended", () =>
    one.logged.some(({ message }) => message === "outcome of an agent's driver not written"),
  );
  expect(one.runtime.running.size).toBe(1);
  one.clock.advance(16_000);
  await cutTick(one);
  await one.until("its process is gone", () => one.runtime.running.size === 0);
});

it("an agent that was ended in time and that nobody took over rests, and continues on its node", async () => {
  const { one, two } = await atWork();
  await seconds(8, one, two);
  one.clock.advance(16_000);
  await cutTick(one);
  await one.until("its process is gone", () => one.runtime.running.size === 0);
  await tick(one);
  await one.until("it talks again", () => one.runtime.requests.length > 1);
  expect(await agentOf(one)).toMatchObject({ node: NODE, token: 2 });
  const moves = await one.store.transitions.ofAgent((await agentOf(one)).id);
  expect(moves.find(({ to }) => to === "SLEEPING")?.reason).toContain("did not reach the database in time");
});

it("where no other node runs, agents go on while the database is away", async () => {
  const { one, two } = await atWork();
  await two.engine.stop();
  await seconds(8, one);
  one.clock.advance(60_000);
  await cutTick(one);
  expect(one.runtime.running.size).toBe(1);
});

it("an agent that sleeps is woken by its own node, and by another one once that is lost", async () => {
  const { one, two } = await atWork();
  await one.engine.operations.pause({
    agent: "acme/shop:feat-dev-issue-1",
    id: "p",
    by: "operator:a",
    reason: null,
  });
  await one.idle();
  await two.engine.operations.resume({
    agent: "acme/shop:feat-dev-issue-1",
    id: "r",
    by: "operator:a",
    reason: null,
  });
  await two.idle();
  expect(await stateOf(two)).toBe("SLEEPING");
  await tick(one);
  expect(await agentOf(one)).toMatchObject({ state: "ACTIVE", node: NODE });
  await one.engine.operations.pause({
    agent: "acme/shop:feat-dev-issue-1",
    id: "q",
    by: "operator:a",
    reason: null,
  });
  await one.idle();
  one.life.end();
  await two.engine.operations.resume({
    agent: "acme/shop:feat-dev-issue-1",
    id: "s",
    by: "operator:a",
    reason: null,
  });
  await seconds(LEASE_S + 6, two);
  await two.idle();
  expect(await agentOf(two)).toMatchObject({ node: OTHER });
});

it("what only the agent's node can carry out waits for it, whoever asks first", async () => {
  let rests = false;
  const { one, two } = await atWork({
    wrapped: (given) => {
      const lease = methodOf(given.store.effects, "lease");
      const ofNode: typeof lease = async (asked) => (rests && asked.node === NODE ? [] : lease(asked));
      return { ...given, store: { ...given.store, effects: { ...given.store.effects, lease: ofNode } } };
    },
  });
  const before = one.runtime.running.size;
  rests = true;
  await two.engine.operations.pause({
    agent: "acme/shop:feat-dev-issue-1",
    id: "k",
    by: "operator:a",
    reason: null,
  });
  await two.idle();
  expect([before, one.runtime.running.size]).toEqual([1, 1]);
  rests = false;
  await tick(one);
  await one.idle();
  expect(one.runtime.running.size).toBe(0);
});

it("claims of a lost node are released: deliveries at once, what may still reach GitHub when its lease ends", async () => {
  const { one, two } = await atWork();
  const { store, clock } = two;
  await store.deliveries.insert([newDelivery("d", { lane: "d" })]);
  const lease = { token: "t", node: NODE, now: clock.now(), leaseMs: () => 60_000, limit: 99 };
  await store.deliveries.claim({ ...lease, leaseMs: 900_000 });
  // The first node leases what follows from the pause, before the other one does.
  const effects = { ...store.effects };
  store.effects.lease = async () => [];
  await two.engine.operations.pause({ agent: "acme/shop:feat-dev-issue-1", id: "k", by: "o", reason: null });
  await effects.lease(lease);
  store.effects.lease = (given) => effects.lease(given);
  const leased = async () => (await store.effects.find({ state: "leased" })).map(({ kind }) => kind);
  expect(await leased()).toContain("task_label");
  one.life.end();
  await seconds(LEASE_S + 6, two);
  expect(await store.deliveries.list({ state: "claimed" }, 9)).toEqual([]);
  expect(await leased()).toContain("task_label");
  await seconds(60, two);
  await two.idle();
  expect(await leased()).not.toContain("task_label");
});
