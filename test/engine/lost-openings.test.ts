import { expect, it } from "vitest";
import { RuntimeError } from "../../src/core/errors.ts";
import { MINUTE } from "../factories/moment.ts";
import { agentOf, commentsOn, stateOf } from "./look.ts";
import { methodOf } from "./method-of.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { on, work } from "./scripts.ts";

const OTHER = "feat-dev-issue-2";
const DAMAGED = new RuntimeError("session_damaged", "its log is no log", { consequence: "stop" });

/**
 * Ends the process whenever the session of the first issue is opened, once nothing but openings is under way: a death beside
 * other work is put down to nobody. Returns how often that was.
 */
function endsTheProcess(rig: Rig): () => number {
  let openings = 0;
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    if (!spec.systemPrompt.includes("issue-1")) return open(spec);
    openings += 1;
    await rig.until("only openings are under way", async () => {
      const leased = await rig.store.effects.find({ state: "leased" });
      return leased.every(({ payload }) => payload.kind === "open_session");
    });
    rig.life.end();
    return new Promise(() => {});
  };
  return () => openings;
}

/** Until the process is gone or has nothing to do. */
async function live(rig: Rig, ms: number): Promise<void> {
  rig.clock.advance(ms);
  void rig.engine.tick();
  const gone = rig.until("it is gone", () => rig.life.over).catch(() => undefined);
  await Promise.race([rig.engine.idle(), gone]);
}

it("opens an agent's session three times at most where the process ends each time, and the others' go on", async () => {
  const rig = await aRig({ script: [on(1, ...work), on(2, ...work)] });
  const openings = endsTheProcess(rig);
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  for (let lives = 0; lives < 6; lives += 1) {
    await live(rig, 5 * MINUTE);
    if (rig.life.over) await rig.restart();
  }
  expect(openings()).toBe(3);
  expect(await stateOf(rig, OTHER)).toBe("COMPLETED");
  const { state, reason } = await agentOf(rig);
  expect(state).toBe("FAILED");
  const why =
    "3 tries in a row failed; the last time Flotilla's own process ended while it opened the agent's session";
  expect(reason).toContain(why);
  expect(commentsOn(rig, 1).join()).toContain("/flotilla retry");
});

it("puts every agent to rest although that fails for one", async () => {
  const rig = await aRig({ script: [on(1, ...work), on(2, ...work)] });
  rig.runtime.open = () => {
    rig.life.end();
    return new Promise(() => {});
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await live(rig, 0);
  rig.onCrashPoint = (name) => {
    if (name !== "fact:decided") return;
    rig.onCrashPoint = () => {};
    throw new Error("the first one fails");
  };
  await rig.restart();
  expect([await stateOf(rig), await stateOf(rig, OTHER)]).toEqual(["SLEEPING", "SLEEPING"]);
  expect(rig.logged).toContainEqual({ level: "error", message: "an agent could not be put to rest" });
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
