import { expect, it } from "vitest";
import { LEASE_MS } from "../../../src/domain/recovery/node.ts";
import { agentOf, stateOf } from "../look.ts";
import { turn } from "../on-postgres.ts";
import { labeled } from "../people.ts";
import { seconds, tick, twoNodes } from "../recovery/two-nodes.ts";
import type { Rig } from "../rig.ts";
import { edit, on, say, slowly } from "../scripts.ts";
import { NODE } from "../without-delimiters.ts";

const KEY = "acme/shop:feat-dev-issue-1";
const HOUR = 3_600_000;
const act = (id: string) => ({ agent: KEY, id, by: "operator:a", reason: null });
const message = (id: string) => ({ agent: KEY, id, text: "Look at the tests." });

/** An agent at work on the first of two nodes; the operator asks the second one. */
async function atWork(): Promise<{ readonly one: Rig; readonly two: Rig }> {
  const slow = on(1, slowly(HOUR, edit()), slowly(HOUR, say("I look at the tests.")));
  const { one, two } = await twoNodes({ script: [slow] });
  await one.engine.handle(labeled(one, 1));
  await one.until("it talks", () => one.runtime.requests.length === 1);
  return { one, two };
}

/** Seconds pass on these nodes until the promise has settled. */
async function meanwhile<T>(promise: Promise<T>, ...rigs: readonly Rig[]): Promise<T> {
  const state = { over: false };
  const settled = promise.finally(() => {
    state.over = true;
  });
  settled.catch(() => undefined);
  for (let second = 0; second < 40 && !state.over; second += 1) {
    await seconds(1, ...rigs);
    // Lets what the round has begun read the database.
    for (let turns = 0; turns < 20; turns += 1) await turn();
  }
  return settled;
}

it("an interruption reaches an agent on another node, and its outcome the operator", async () => {
  const { one, two } = await atWork();
  expect(await meanwhile(two.engine.operations.interrupt(message("i")), two, one)).toEqual({
    interrupted: true,
  });
  await one.until("it has begun again", () => one.runtime.requests.length === 2);
  expect(JSON.stringify(one.runtime.requests.at(-1))).toContain("Look at the tests.");
  const effects = await one.store.effects.find({ kind: "interrupt" });
  expect(effects).toMatchObject([{ state: "done", lane: `agent:${(await agentOf(one)).id}:interrupts` }]);
});

it("an interruption here writes no effect", async () => {
  const { one } = await atWork();
  expect(await one.engine.operations.interrupt(message("i"))).toEqual({ interrupted: true });
  expect(await one.store.effects.find({ kind: "interrupt" })).toEqual([]);
});

it("the operator is told when the agent's node does not answer, and which one", async () => {
  const { one, two } = await atWork();
  one.life.end();
  const asked = meanwhile(two.engine.operations.interrupt(message("i")), two);
  await expect(asked).rejects.toMatchObject({ code: "transport_unavailable", retryable: true });
  await expect(asked).rejects.toThrow(
    `the machine ${NODE}, where feat-dev-issue-1 works, has not answered for 15 s`,
  );
  // Its node is lost, and with it the exchange: what was asked is over.
  await seconds(LEASE_MS / 1000 + 8, two);
  await two.idle();
  expect(await two.store.effects.find({ kind: "interrupt" })).toMatchObject([{ state: "skipped" }]);
});

it("a kill resolves once the process on the other node has ended", async () => {
  const { one, two } = await atWork();
  const left = two.engine.operations.kill(act("k")).then(() => one.runtime.running.size);
  expect(await meanwhile(left, two, one)).toBe(0);
  expect(await stateOf(one)).toBe("CANCELLED");
});

it("an emergency stop ends processes on other nodes, and says which have not ended in time", async () => {
  const { one, two } = await atWork();
  const stop = { scope: "all", by: "operator:a", reason: null } as const;
  const stopped = await meanwhile(two.engine.operations.pauseScope(stop), two, one);
  expect(stopped).toEqual({ news: true, paused: ["feat-dev-issue-1"], stillStopping: 0 });
  expect(one.runtime.running.size).toBe(0);
  await two.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await tick(one);
  await one.until("it talks again", () => one.runtime.running.size === 1);
  one.life.end();
  const late = await meanwhile(two.engine.operations.pauseScope({ ...stop, reason: "again" }), two);
  expect(late.stillStopping).toBe(1);
});

it("a wait sees what another node has written", async () => {
  const { one, two } = await atWork();
  const { signal } = new AbortController();
  const wish = { agent: KEY, states: ["SLEEPING"], withinMs: 60_000, signal };
  const waited = two.engine.operations.wait(wish);
  await one.engine.operations.pause(act("p"));
  expect(await meanwhile(waited, one, two)).toMatchObject({ reached: true, state: "SLEEPING" });
});
