import { expect, it } from "vitest";
import { LEASE_MS, LOOK_MS, MOST_SKEW_MS, RENEW_MS } from "../../../src/domain/recovery/node.ts";
import { Nodes } from "../../../src/engine/recovery/nodes.ts";
import { aRig, type Rig } from "../rig.ts";
import { NODE } from "../without-delimiters.ts";
import { OTHER, seconds, tick, twoNodes } from "./two-nodes.ts";

const AFTER_LEASE = LEASE_MS / 1000 + 1;

const nodesOf = async ({ store }: Rig) =>
  (await store.nodes.list()).map(({ name, epoch, stopped }) => ({ name, epoch, stopped }));

/** A round that counts its runs, and how often it began anew. */
function counted(rig: Rig): {
  readonly run: () => Promise<void>;
  readonly nodes: Nodes;
  begun: number;
  runs: number;
} {
  const nodes = new Nodes(rig.context);
  const counts = { nodes, begun: 0, runs: 0, run: async (): Promise<void> => {} };
  counts.run = nodes.once("counted", () => {
    counts.begun += 1;
    return async () => void (counts.runs += 1);
  });
  return counts;
}

it("a node that is alone writes nothing of itself, and runs every round", async () => {
  const rig = await aRig();
  await tick(rig);
  const round = counted(rig);
  await round.nodes.renew();
  await round.run();
  expect([await nodesOf(rig), round.runs]).toEqual([[], 1]);
});

it("each node says that it runs, every five seconds", async () => {
  const { one, two } = await twoNodes();
  expect(await nodesOf(one)).toEqual([
    { name: NODE, epoch: 1, stopped: false },
    { name: OTHER, epoch: 1, stopped: false },
  ]);
  const before = one.clock.now();
  one.clock.advance(RENEW_MS - 1);
  await tick(one);
  expect((await one.store.nodes.list())[0]?.seenAt).toBe(before);
  one.clock.advance(1);
  await tick(one);
  expect((await one.store.nodes.list())[0]?.seenAt).toBe(before + RENEW_MS);
  await two.engine.stop();
  expect(await nodesOf(one)).toMatchObject([{ stopped: false }, { name: OTHER, stopped: true }]);
  await two.restart();
  expect(await nodesOf(one)).toMatchObject([{}, { name: OTHER, epoch: 2, stopped: false }]);
});

it("one of two nodes runs a round, each time; the other one takes it over when that is lost, and begins it anew", async () => {
  const { one, two } = await twoNodes();
  const [mine, theirs] = [counted(one), counted(two)];
  const second = async (...rounds: readonly ReturnType<typeof counted>[]): Promise<void> => {
    one.clock.advance(1000);
    for (const round of rounds) {
      await round.nodes.renew();
      await round.run();
    }
  };
  for (let times = 0; times < 60; times += 1) await second(mine, theirs);
  expect([mine.runs, theirs.runs]).toEqual([60, 0]);
  // The first one hangs: its lease ends, then the other runs it.
  for (let times = 0; times < AFTER_LEASE; times += 1) await second(theirs);
  const taken = theirs.runs;
  expect([mine.runs, taken > 0, theirs.begun]).toEqual([60, true, 1]);
  // It is back, and knows that its time is over before it has asked.
  await mine.run();
  for (let times = 0; times < 30; times += 1) await second(mine, theirs);
  expect([mine.runs, theirs.runs]).toEqual([60, taken + 30]);
  for (let times = 0; times < AFTER_LEASE; times += 1) await second(mine);
  expect(mine.begun).toBe(2);
});

it("a node whose clock differs from the database's begins nothing once its lease is over, and says so once", async () => {
  const { one } = await twoNodes();
  let ahead = 0;
  const { store } = one.context;
  const time = async () => one.clock.now() - ahead;
  const node = new Nodes({ ...one.context, store: { ...store, nodes: { ...store.nodes, time } } });
  await node.renew();
  ahead = MOST_SKEW_MS + 1;
  for (let left = LEASE_MS; left > 0; left -= RENEW_MS) {
    one.clock.advance(RENEW_MS);
    await node.renew();
  }
  expect(node.mayBegin).toBe(false);
  const said = one.logged.filter(({ message }) => message.startsWith("the clock of this machine differs"));
  expect(said).toHaveLength(1);
  ahead = -MOST_SKEW_MS;
  await node.renew();
  expect(node.mayBegin).toBe(true);
});

it("a node judges others once it has renewed for a lease without a gap, since a gap may have been everybody's", async () => {
  const { one } = await twoNodes();
  const node = new Nodes(one.context);
  const renewFor = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= RENEW_MS) {
      one.clock.advance(RENEW_MS);
      await node.renew();
    }
  };
  await node.renew();
  await renewFor(LEASE_MS - RENEW_MS);
  expect(node.mayJudge).toBe(false);
  await renewFor(RENEW_MS);
  expect(node.mayJudge).toBe(true);
  one.clock.advance(LEASE_MS);
  await node.renew();
  expect(node.mayJudge).toBe(false);
  await renewFor(LEASE_MS);
  expect(node.mayJudge).toBe(true);
});

it("a node that stops leaves its rounds to the others at once", async () => {
  const { one, two } = await twoNodes();
  const [mine, theirs] = [counted(one), counted(two)];
  await mine.nodes.renew();
  await theirs.nodes.renew();
  await mine.nodes.stop();
  await mine.run();
  two.clock.advance(RENEW_MS);
  await theirs.nodes.renew();
  await theirs.run();
  expect([mine.runs, theirs.runs]).toEqual([0, 1]);
});

it("a node begins nothing while the others must think that it is lost, or once another process has its name", async () => {
  const { one } = await twoNodes();
  const first = new Nodes(one.context);
  expect(first.mayBegin).toBe(false);
  await first.renew();
  expect(first.mayBegin).toBe(true);
  one.clock.advance(LEASE_MS);
  expect(first.mayBegin).toBe(false);
  expect(await first.renew()).toBe("lapsed");
  expect(first.mayBegin).toBe(true);
  const second = new Nodes(one.context);
  await second.renew();
  one.clock.advance(RENEW_MS);
  expect(await first.renew()).toBe("lapsed");
  await first.renew();
  expect([first.mayBegin, second.mayBegin]).toEqual([false, true]);
  const said = one.logged.filter(({ message }) =>
    message.startsWith("another process has started by the name"),
  );
  expect(said.length).toBeGreaterThan(0);
  await seconds(1, one);
});

it("a look that has read the row before a drain does not end the drain", async () => {
  const { one } = await twoNodes();
  const { store } = one.context;
  let { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  answer();
  let read = 0;
  const list = async () => {
    const rows = await store.nodes.list();
    read += 1;
    await answered;
    return rows;
  };
  const node = new Nodes({ ...one.context, store: { ...store, nodes: { ...store.nodes, list } } });
  await node.renew();
  ({ promise: answered, resolve: answer } = Promise.withResolvers<void>());
  one.clock.advance(LOOK_MS);
  const looking = node.renew();
  await one.until("the row is read", () => read === 2);
  await node.drain(one.clock.now());
  answer();
  await looking;
  expect(node.isDraining).toBe(true);
});

it("a database that answers after a long while says nothing about the clock", async () => {
  const { one } = await twoNodes();
  const { store } = one.context;
  const time = async () => {
    one.clock.advance(2 * MOST_SKEW_MS);
    const answered = one.clock.now();
    one.clock.advance(2 * MOST_SKEW_MS);
    return answered;
  };
  const node = new Nodes({ ...one.context, store: { ...store, nodes: { ...store.nodes, time } } });
  await node.renew();
  expect(node.life).not.toBe(null);
  expect(one.logged.filter(({ level }) => level === "error")).toEqual([]);
});

it("says once that somebody has replaced its key", async () => {
  let key: string | null = null;
  const one = await aRig({
    alone: false,
    wrapped: (given) => ({
      ...given,
      store: {
        ...given.store,
        nodes: {
          ...given.store.nodes,
          list: async () => (await given.store.nodes.list()).map((row) => ({ ...row, publicKey: key })),
        },
      },
    }),
  });
  const said = () => one.logged.filter(({ message }) => message.startsWith("somebody has replaced the key"));
  await tick(one);
  expect(said()).toEqual([]);
  key = "of somebody else";
  await seconds(60, one);
  expect(said()).toMatchObject([{ level: "error" }]);
});
