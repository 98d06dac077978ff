import { expect, it } from "vitest";
import { commentsOn } from "../look.ts";
import { labeled } from "../people.ts";
import { seconds, tick, twoNodes } from "../recovery/two-nodes.ts";
import type { Rig, RigOptions } from "../rig.ts";
import { call, on, say, slowly } from "../scripts.ts";

const HOUR = 3_600_000;

/** An agent of the first of two nodes that waits for a comment, which only the second one may write. */
async function waitingForOther(): Promise<{ readonly one: Rig; readonly two: Rig }> {
  let leases = true;
  const wrapped: RigOptions["wrapped"] = (given) => {
    const { effects } = given.store;
    const lease: typeof effects.lease = async (options) => (leases ? effects.lease(options) : []);
    return { ...given, store: { ...given.store, effects: { ...effects, lease } } };
  };
  const script = [on(1, call("comment", { body: "Half done." }), slowly(HOUR, say("and on")))];
  const { one, two } = await twoNodes({ script, wrapped });
  await one.engine.handle(labeled(one, 1));
  await one.until("the session is opened", async () => {
    const [opening] = await one.store.effects.find({ kind: "open_session" });
    return opening?.state === "done";
  });
  leases = false;
  await one.until("it comments", async () => (await comment(one)) !== undefined);
  return { one, two };
}

const comment = async ({ store }: Rig) => (await store.effects.find({ kind: "post_comment" }))[0];

it("an agent learns the outcome of what another node has carried out at the next round, not when its wait ends", async () => {
  const { one, two } = await waitingForOther();
  await tick(one);
  expect(one.runtime.requests).toHaveLength(1);
  await tick(two);
  await two.idle();
  expect(await comment(one)).toMatchObject({ state: "done" });
  expect(commentsOn(one)).not.toEqual([]);
  await tick(one);
  await one.until("it talks on", () => one.runtime.requests.length === 2);
});

it("an agent learns it at once where the node is told that another one has written", async () => {
  const { one, two } = await waitingForOther();
  await tick(two);
  await two.idle();
  expect(one.runtime.requests).toHaveLength(1);
  one.engine.othersWrote();
  await one.until("it talks on", () => one.runtime.requests.length === 2);
});

it("what another node has left is begun where the node is told of it, without a round", async () => {
  const { one, two } = await twoNodes({}, { roles: ["controller"] });
  await two.engine.handle(labeled(two, 1));
  const opening = async () => (await one.store.effects.find({ kind: "open_session" }))[0];
  expect(await opening()).toMatchObject({ state: "pending" });
  one.engine.othersWrote();
  await one.until("the agent is opened", async () => (await opening())?.state === "done");
});

it("an agent waits on while the other node is at it", async () => {
  const { one } = await waitingForOther();
  await one.store.effects.lease({
    token: "t",
    node: "build-8",
    now: one.clock.now(),
    leaseMs: () => HOUR,
    limit: 9,
  });
  await seconds(56, one);
  expect(one.runtime.requests).toHaveLength(1);
  await seconds(4, one);
  await one.until("its wait is over", () => one.runtime.requests.length === 2);
});
