import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ChangeListener } from "../../src/adapters/store/database.ts";
import { observedStore } from "../../src/adapters/store/observed-store.ts";
import type { MachineName } from "../../src/domain/kernel/rows.ts";
import type { Tables } from "../../src/domain/ports/store.ts";
import { listenToOthers, paced, tellsOthers } from "../../src/server/wake-ups.ts";
import { SILENT } from "../adapters/github/mocked-github.ts";
import { delivery, effect, insertAgent, repository, wake } from "../adapters/store/samples.ts";
import { CLAIM } from "../factories/leases.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createFakeClock } from "../fakes/clock.ts";

it("what is paced is done once for all calls of a pace, and at once after a rest", async () => {
  const clock = createFakeClock(0);
  const done: number[] = [];
  const act = paced(clock, 50, () => done.push(clock.now()));
  const pass = async (ms: number) => {
    clock.advance(ms);
    await Promise.resolve();
  };
  for (let call = 0; call < 5; call += 1) act();
  await pass(0);
  expect(done).toEqual([0]);
  await pass(49);
  act();
  act();
  expect(done).toEqual([0]);
  await pass(1);
  expect(done).toEqual([0, 50]);
  await pass(200);
  act();
  await pass(0);
  expect(done).toEqual([0, 50, 250]);
});

async function writeThree({ deliveries }: Tables): Promise<void> {
  for (const guid of ["a", "b", "c"]) await deliveries.insert([delivery({ guid })]);
}

describe("the other processes", () => {
  const clock = createFakeClock(0);
  let told: number;
  let base: ReturnType<typeof memoryStore>;
  let store: typeof base;

  beforeEach(async () => {
    told = 0;
    base = memoryStore();
    const changes = { tell: () => void (told += 1), listen() {} };
    store = observedStore(base, [() => tellsOthers(changes, clock)], SILENT);
    onTestFinished(() => base.close());
    await base.repositories.put(repository);
  });

  /** How often they are told of what was written, with the pace of each call over. */
  async function toldOf(write: (tables: Tables) => Promise<unknown>): Promise<number> {
    told = 0;
    await write(store);
    await passed();
    return told;
  }
  const passed = async () => {
    await Promise.resolve();
    clock.advance(50);
    await Promise.resolve();
    clock.advance(50);
  };
  const agentOf = () => insertAgent(base);

  it("are told of webhooks that are stored, or handled again", async () => {
    expect(await toldOf(({ deliveries }) => deliveries.insert([delivery({ guid: "g" })]))).toBe(1);
    expect(await toldOf(({ deliveries }) => deliveries.replay("g"))).toBe(1);
  });

  it("are told of effects that are to be done, and that were done", async () => {
    const { id } = await agentOf();
    const add = ({ effects }: Tables) => effects.add([effect({ key: "e", agentId: id })]);
    expect(await toldOf(add)).toBe(1);
    expect(await toldOf(({ effects }) => effects.add([]))).toBe(0);
    const now = 10;
    await base.effects.lease({ ...CLAIM, now, leaseMs: () => 1, limit: 1 });
    const done = { state: "done", result: null, error: null, at: now } as const;
    expect(await toldOf(({ effects }) => effects.settle(1, CLAIM.token, done))).toBe(1);
  });

  it("are told of wakes, and of pauses that begin and end", async () => {
    const { id } = await agentOf();
    expect(await toldOf(({ wakes }) => wakes.add(wake({ key: "w", agentId: id })))).toBe(1);
    const pause = { scope: "all", holder: "person", by: "ops", reason: null, since: 0 } as const;
    expect(await toldOf(({ scopePauses }) => scopePauses.add(pause))).toBe(1);
    expect(await toldOf(({ scopePauses }) => scopePauses.lift("all", "person"))).toBe(1);
  });

  it("are told of a machine that asks for a token, and of the answer", async () => {
    const asked = { node: "a", epoch: 1, purpose: "git", repositoryId: repository.id, askedAt: 0 } as const;
    expect(await toldOf(({ tokenRequests }) => tokenRequests.add(asked))).toBe(1);
    expect(await toldOf(({ tokenRequests }) => tokenRequests.answer(1, { refusal: "no" }))).toBe(1);
  });

  it("are told once of a transaction, whatever its number of rows, and not of one that is undone", async () => {
    const undone = store.transaction(async (tables) => {
      await writeThree(tables);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await passed();
    expect(told).toBe(0);
    expect(await toldOf(() => store.transaction(writeThree))).toBe(1);
  });

  it("are told of moves, but not of those that concern the process alone that runs the agent", async () => {
    const { id: recordId } = await agentOf();
    const at = { at: 1, recordId, agentId: recordId, repositoryId: repository.id, issue: 1, delivery: null };
    const moved = { actor: "engine", event: "START", from: "A", to: "B", reason: null, evidence: null };
    const moves = (...machines: MachineName[]) =>
      toldOf(({ transitions }) =>
        transitions.add(...machines.map((machine) => ({ ...at, ...moved, machine }))),
      );
    expect(await moves("agent")).toBe(1);
    expect(await moves("run", "session")).toBe(0);
    expect(await moves("run", "task")).toBe(1);
  });
});

it("a process acts when it is told, at most once in a pace", async () => {
  const clock = createFakeClock(0);
  let acts = 0;
  const listeners: ChangeListener[] = [];
  const changes = { tell() {}, listen: (listener: ChangeListener) => void listeners.push(listener) };
  listenToOthers(changes, { clock, log: SILENT, act: () => void (acts += 1) });
  for (let call = 0; call < 9; call += 1) listeners[0]?.told();
  await Promise.resolve();
  listeners[0]?.told();
  expect(acts).toBe(1);
  clock.advance(50);
  await Promise.resolve();
  expect(acts).toBe(2);
});
