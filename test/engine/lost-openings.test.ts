import { expect, it } from "vitest";
import { RuntimeError } from "../../src/core/errors.ts";
import { MINUTE } from "../factories/moment.ts";
import { agentOf, stateOf } from "./look.ts";
import { methodOf } from "./method-of.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { on, work } from "./scripts.ts";

const OTHER = "feat-dev-issue-2";
const DAMAGED = new RuntimeError("session_damaged", "its log is no log", { consequence: "stop" });

/** Until the process is gone or has nothing to do. */
async function live(rig: Rig, ms: number): Promise<void> {
  rig.clock.advance(ms);
  void rig.engine.tick();
  const gone = rig.until("it is gone", () => rig.life.over).catch(() => undefined);
  await Promise.race([rig.engine.idle(), gone]);
}

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
