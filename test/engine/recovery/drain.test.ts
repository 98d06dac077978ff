import { expect, it } from "vitest";
import { LEASE_MS } from "../../../src/domain/recovery/node.ts";
import { suspendAgent } from "../../../src/engine/recovery/recover.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, historyOf, stateOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, on, openPr, slowly, work } from "../scripts.ts";
import { NODE } from "../without-delimiters.ts";
import { OTHER, seconds, tick, twoNodes } from "./two-nodes.ts";

const AFTER_TURN = 15 * MINUTE;
const OPERATOR = "operator:ops";

const drain = (rig: Rig, withinMs: number | null, node?: string) =>
  rig.engine.operations.drain({ node, withinMs, by: OPERATOR });

/** An agent in the middle of its first turn, on the first of two nodes. */
async function inTurn(): Promise<{ readonly one: Rig; readonly two: Rig }> {
  const turns = [slowly(MINUTE, edit()), commit, openPr, complete];
  const { one, two } = await twoNodes({ script: [on(1, ...turns)] }, { script: [on(1, ...work)] });
  await one.engine.handle(labeled(one, 1));
  await one.until("it talks", () => one.runtime.requests.length === 1);
  return { one, two };
}

it("agents of a machine that is drained rest at once, and continue on another one without the time of a lease", async () => {
  const { one, two } = await inTurn();
  const begun = one.clock.now();
  expect(await drain(one, 0)).toMatchObject({ node: NODE, state: "draining", others: [OTHER] });
  await tick(one);
  await one.idle();
  expect(await one.engine.operations.drainState()).toMatchObject({ atWork: 0, saving: 0 });
  expect(one.runtime.running.size).toBe(0);
  await seconds(2, two);
  await two.until("it works there", async () => (await agentOf(two)).node === OTHER);
  expect(two.clock.now() - begun).toBeLessThan(5000);
  const moves = await two.store.transitions.ofAgent((await agentOf(two)).id);
  expect(moves.find(({ to }) => to === "SLEEPING")?.reason).toContain("its machine is being drained");
  await seconds(2, one, two);
  await two.idle();
  expect(await historyOf(two)).toContain("COMPLETED");
});

it("no other machine wakes an agent whose work is yet to be saved, unless the machine is lost before that", async () => {
  const { one, two } = await inTurn();
  await drain(one, 0);
  one.life.end();
  await suspendAgent(two.context, await agentOf(two));
  await seconds(8, two);
  expect(await agentOf(two)).toMatchObject({ state: "SLEEPING", node: NODE });
  await seconds(LEASE_MS / 1000, two);
  await two.until("it works there", async () => (await agentOf(two)).node === OTHER);
});

it("with time, the turn goes on to its end, and no other one begins", async () => {
  const { one, two } = await inTurn();
  await drain(one, AFTER_TURN);
  await seconds(20, one, two);
  expect(await agentOf(one)).toMatchObject({ state: "ACTIVE", node: NODE });
  expect(await one.engine.operations.drainState()).toMatchObject({ atWork: 1 });
  await seconds(60, one, two);
  await one.until("it has left", async () => (await agentOf(one)).node === OTHER);
  // The call of the turn was carried out, and the model was not asked again here.
  expect(one.runtime.requests).toHaveLength(1);
  expect((await one.store.checkpoints.get((await agentOf(one)).id))?.pushed).not.toBe(null);
});

it("what is still in a turn when the time is over rests then", async () => {
  const { one, two } = await inTurn();
  await drain(one, 20_000);
  await seconds(16, one, two);
  expect(await stateOf(one)).toBe("ACTIVE");
  await seconds(8, one, two);
  await one.until("it has left", async () => (await agentOf(one)).node === OTHER);
});

it("a machine that is drained starts and wakes no agent, and leaves rounds, deliveries and effects to the others", async () => {
  const { one, two } = await twoNodes({ script: [on(1, ...work)] }, { script: [on(1, ...work)] });
  expect(one.engine.mayTake()).toBe(true);
  await drain(one, 0);
  const [round, theirs] = [counter(one), counter(two)];
  await seconds(8, one, two);
  await round.run();
  await theirs.run();
  expect([one.engine.mayTake(), one.engine.leavesToOthers(), round.runs]).toEqual([false, true, 0]);
  await one.engine.handle(labeled(one, 1));
  await one.idle();
  expect([await stateOf(one), one.runtime.requests.length]).toEqual(["ACTIVE", 0]);
  await two.idle();
  expect(await agentOf(two)).toMatchObject({ node: OTHER });
});

it("another machine can drain it and end that; it follows within a second", async () => {
  const { one, two } = await inTurn();
  expect(await drain(two, AFTER_TURN, NODE)).toMatchObject({ node: NODE, state: "draining", atWork: 1 });
  expect(one.engine.mayTake()).toBe(true);
  await seconds(1, one);
  expect(one.engine.mayTake()).toBe(false);
  await drain(two, null, NODE);
  await seconds(1, one);
  expect(one.engine.mayTake()).toBe(true);
  await seconds(64, one, two);
  await one.until("it has finished here", () => one.runtime.requests.length > 1);
  expect(await agentOf(one)).toMatchObject({ node: NODE });
  await expect(drain(two, 0, "nowhere")).rejects.toThrow("no machine nowhere uses this database");
});

it("the only machine keeps everything but starts: its agents rest until the drain ends", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await drain(rig, 0);
  await rig.engine.handle(labeled(rig, 1));
  await rig.pass(1000);
  expect([await stateOf(rig), rig.engine.mayTake()]).toEqual(["CREATED", true]);
  expect(await drain(rig, null)).toMatchObject({ state: "running" });
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("a stop saves the work of the agents, and leaves them to the others at once", async () => {
  const { one, two } = await inTurn();
  await one.engine.stop();
  expect(await one.store.effects.find({ kind: "close_session", state: ["pending", "leased"] })).toEqual([]);
  expect(await one.store.nodes.list()).toMatchObject([{ name: NODE, stopped: true }, { name: OTHER }]);
  await seconds(1, two);
  await two.until("it works there", async () => (await agentOf(two)).node === OTHER);
});

/** A round that counts its runs. */
function counter(rig: Rig): { readonly run: () => Promise<void>; readonly runs: number } {
  let runs = 0;
  const run = rig.engine.once("sweep", async () => void (runs += 1));
  return {
    run,
    get runs() {
      return runs;
    },
  };
}
