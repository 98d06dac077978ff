import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, historyOf, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, commit, complete, edit, escalate, on, openPr, slowly, work } from "../scripts.ts";

const awake = (rig: Rig) => rig.until("it is awake", async () => (await stateOf(rig)) === "ACTIVE");

const slow = [slowly(MINUTE, edit()), ...work.slice(1)];

async function atWork(...steps: Parameters<typeof on>[1][]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...steps)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

it("puts every agent at work to sleep, with a wake of its own and nothing counted", async () => {
  const rig = await atWork(...slow);
  await rig.engine.stop();
  const agent = await agentOf(rig);
  expect(agent).toMatchObject({
    state: "SLEEPING",
    sleepReason: "restart",
    restarts: 0,
    wakes: 0,
    nudges: 0,
  });
  expect(await rig.store.wakes.pending(agent.id)).toMatchObject([{ reason: "restart" }]);
  expect((await runOf(rig))?.state).toBe("planning");
  expect(rig.runtime.running.size).toBe(0);
});

it("does nothing more outside after it, and takes nothing up", async () => {
  const rig = await atWork(...slow);
  await rig.engine.stop();
  const writes = rig.github.writes.length;
  await rig.engine.handle(said(rig, 2, "/flotilla nonsense"));
  expect(await rig.engine.tick()).toBe(0);
  rig.engine.poke();
  await rig.idle();
  expect(rig.github.writes).toHaveLength(writes);
});

it("continues in the same conversation after the next start", async () => {
  const rig = await atWork(...slow);
  await rig.engine.stop();
  await rig.restart();
  rig.clock.advance(GRACEFUL_PAUSE_MS);
  await rig.engine.tick();
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain("restart of the host");
});

it("wakes nobody sooner than two seconds after it, and everybody at once at a later start", async () => {
  const rig = await atWork(...slow);
  await rig.engine.stop();
  await rig.restart();
  await rig.pass(1_999);
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.clock.advance(1);
  await rig.engine.tick();
  await awake(rig);
  await rig.engine.stop();
  rig.clock.advance(MINUTE);
  await rig.restart();
  await rig.engine.tick();
  await awake(rig);
  expect(await agentOf(rig)).toMatchObject({ restarts: 0, wakes: 0 });
});

it("finds who was at work at a kill, and wakes them at once", async () => {
  const rig = await atWork(...slow);
  await rig.restart();
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.engine.tick();
  await awake(rig);
});

it("leaves no process behind that was only being opened", async () => {
  const rig = await aRig({ script: [on(1, ...slow)] });
  const open = methodOf(rig.runtime, "open");
  const opening = Promise.withResolvers<void>();
  rig.runtime.open = async (spec) => {
    await opening.promise;
    return open(spec);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until(
    "it is being opened",
    async () => (await rig.store.effects.find({ kind: "open_session", state: "leased" })).length === 1,
  );
  const stopped = rig.engine.stop();
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  opening.resolve();
  await stopped;
  expect(rig.runtime.running.size).toBe(0);
});

it.each([
  ["report_blocked", blocked(2), "SLEEPING", "blocked"],
  ["escalate_to_human", escalate, "ESCALATED", null],
])("applies a recorded %s before it rests", async (_, step, state, sleepReason) => {
  const rig = await aRig({ script: [on(1, step)] });
  let stopped: Promise<void> | undefined;
  rig.onCrashPoint = (name) => {
    if (name === "turn:intent") stopped ??= rig.engine.stop();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is stopped", () => stopped !== undefined);
  await stopped;
  expect(await agentOf(rig)).toMatchObject({ state, sleepReason });
  await rig.restart();
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state, sleepReason });
  expect(toldTo(rig)).toHaveLength(1);
});

it("evaluates a claim that it was stopped over, before it says anything", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, complete)] });
  let stopped: Promise<void> | undefined;
  rig.onCrashPoint = (name) => {
    if (name === "turn:intent") stopped ??= rig.engine.stop();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is stopped", () => stopped !== undefined);
  await stopped;
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
  expect((await runOf(rig))?.state).toBe("evaluating");
  await rig.restart();
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(toldTo(rig)).toHaveLength(1);
});

it("keeps a recorded block whose blocker cannot be looked at, and applies it at the wake", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), after("never", edit()))] });
  const issue = methodOf(rig.github, "issue");
  rig.onCrashPoint = (name) => {
    if (name !== "turn:intent") return;
    rig.github.issue = () => Promise.reject(new Error("no route to host"));
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it crashed", () => rig.life.over);
  await rig.restart();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
  rig.github.issue = issue;
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [2] });
});

it("stops when nobody is at work", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.stop();
  expect(await stateOf(rig)).toBe("ESCALATED");
});
