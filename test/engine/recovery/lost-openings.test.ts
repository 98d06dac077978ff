import { expect, it } from "vitest";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const OTHER = "feat-dev-issue-2";
const DAMAGED = new RuntimeError("session_damaged", "its log is no log", { consequence: "stop" });

/** Labels the first two issues, whose sessions are not opened before that was received. */
async function labelBoth(rig: Rig): Promise<void> {
  const received = Promise.withResolvers<void>();
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    await received.promise;
    return open(spec);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  received.resolve();
}

/** Ends the process whenever the session of the first issue is opened; returns what else was being opened each time. */
function endsTheProcess(rig: Rig): string[][] {
  const beside: string[][] = [];
  const under = new Set<string>();
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    if (!spec.systemPrompt.includes("issue-1")) {
      under.add(spec.sessionId);
      const session = await open(spec);
      under.delete(spec.sessionId);
      return session;
    }
    beside.push([...under]);
    under.clear();
    rig.life.end();
    return new Promise(() => {});
  };
  return beside;
}

/** Until the process is gone or has nothing to do. */
async function live(rig: Rig, ms: number): Promise<void> {
  rig.clock.advance(ms);
  void rig.engine.tick();
  await Promise.race([rig.engine.idle(), rig.life.ended]);
}

it("fails an agent whose opening ends the process three times while nothing else is begun, and no other", async () => {
  const rig = await aRig({ script: [on(1, ...work), on(2, ...work)] });
  const beside = endsTheProcess(rig);
  await labelBoth(rig);
  await live(rig, 5 * MINUTE);
  for (let lives = 0; lives < 8 && rig.life.over; lives += 1) {
    await rig.restart();
    await live(rig, 5 * MINUTE);
  }
  expect(beside.slice(-3)).toEqual([[], [], []]);
  expect(beside.length).toBeLessThan(6);
  expect(await agentOf(rig)).toMatchObject({
    state: "FAILED",
    reason: expect.stringContaining(
      "the process of Flotilla ended 3 times while its conversation was opened",
    ),
  });
  expect(await stateOf(rig, OTHER)).toBe("COMPLETED");
  expect(commentsOn(rig, 1).join()).toContain("/flotilla retry");
  expect(await rig.store.loneOpenings.all()).toEqual([]);
});

/** A life in which the process has ended once while the session of the first issue was opened alone. */
async function lostOnceAlone(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work), on(2, ...work)] });
  const beside = endsTheProcess(rig);
  await labelBoth(rig);
  await live(rig, 0);
  await rig.restart();
  expect(beside).toHaveLength(2);
  const { id: agentId } = await agentOf(rig);
  expect(await rig.store.loneOpenings.all()).toEqual([{ agentId, step: "conversation", begun: 1 }]);
  return rig;
}

it("begins to count again once an opening has ended, with an error too", async () => {
  const rig = await lostOnceAlone();
  rig.runtime.open = () => Promise.reject(new RuntimeError("open_failed", "no", { consequence: "retry" }));
  await rig.restart();
  expect(await rig.store.loneOpenings.all()).toEqual([]);
});

it("holds others back for a minute at most while an opening hangs, and does not count that", async () => {
  const rig = await lostOnceAlone();
  const open = methodOf(rig.runtime, "open");
  let hangs = false;
  rig.runtime.open = (spec) => {
    if (!spec.systemPrompt.includes("issue-1")) return open(spec);
    hangs = true;
    return new Promise(() => {});
  };
  const restarting = rig.restart();
  await rig.until("it hangs", () => hangs);
  expect(await stateOf(rig, OTHER)).toBe("SLEEPING");
  rig.clock.advance(MINUTE);
  await restarting;
  expect(await rig.store.loneOpenings.all()).toEqual([]);
  await rig.until("the other ends", async () => (await stateOf(rig, OTHER)) === "COMPLETED");
});

it("puts every agent to rest although that fails for one", async () => {
  const rig = await aRig({ script: [on(1, ...work), on(2, ...work)] });
  rig.runtime.open = () => {
    rig.life.end();
    return new Promise(() => {});
  };
  await labelBoth(rig);
  await live(rig, 0);
  rig.onCrashPoint = (name) => {
    if (name !== "fact:decided") return;
    rig.onCrashPoint = () => {};
    throw new Error("the first one fails");
  };
  await rig.restart();
  const rests = await rig.store.records.find("agent", {});
  for (const { id } of rests)
    expect((await rig.store.transitions.ofAgent(id)).map(({ to }) => to)).toContain("SLEEPING");
  expect(rig.logged).toContainEqual({ level: "error", message: "agent not put to sleep" });
});

it("deletes what lies in the place of a conversation that was never opened, and begins it", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const open = methodOf(rig.runtime, "open");
  const destroy = methodOf(rig.runtime, "destroy");
  const deleted: string[] = [];
  rig.runtime.destroy = (place) => {
    deleted.push(place.sessionId);
    return destroy(place);
  };
  rig.runtime.open = (spec) => (deleted.length === 0 ? Promise.reject(DAMAGED) : open(spec));
  await tell(rig, labeled(rig, 1));
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("ends an agent that cannot begin a conversation with the reason why", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.runtime.open = () => Promise.reject(DAMAGED);
  await tell(rig, labeled(rig, 1));
  for (let tries = 0; tries < 6; tries += 1) await rig.pass(5 * MINUTE);
  expect(await agentOf(rig)).toMatchObject({
    state: "FAILED",
    sessionCount: 1,
    reason: expect.stringContaining("its log is no log"),
  });
});
