import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, sessionsOf, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";
import { act, KEY } from "../under-operation.ts";

const conversation = async (rig: Rig, name?: string) => (await sessionsOf(rig, name)).at(-1)?.state;
const never = () => Promise.withResolvers<never>().promise;
const message = { agent: KEY, id: "m1", text: "Stop." };

it("looks after a death for the process of a sleeper whose stop was not carried out, and of no other sleeper", async () => {
  const rig = await aRig({ script: [on(1, blocked(3)), on(2, blocked(3))] });
  await tell(rig, labeled(rig, 1));
  rig.onCrashPoint = (point) => {
    if (point === "session:stopped") rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 2));
  await rig.until(
    "it sleeps",
    async () => (await stateOf(rig, "feat-dev-issue-2").catch(() => "")) === "SLEEPING",
  );
  await rig.until("it dies", () => rig.life.over);
  expect(await conversation(rig)).toBe("idle");
  expect(await conversation(rig, "feat-dev-issue-2")).toBe("idle");
  const looked: string[] = [];
  const reap = methodOf(rig.runtime, "reap");
  rig.runtime.reap = (sessions) => {
    looked.push(...sessions.map(({ sessionId }) => sessionId));
    return reap(sessions);
  };
  rig.onCrashPoint = () => {};
  await rig.restart();
  const idOf = async (name: string) => (await agentOf(rig, name)).sessionId;
  expect(looked).toContain(await idOf("feat-dev-issue-2"));
  expect(looked).not.toContain(await idOf("feat-dev-issue-1"));
});

it("rests while the host checks a claim: nobody is there to be interrupted, and a message is heard next", async () => {
  const { evidence } = someSettings();
  const rig = await aRig({
    script: [on(1, ...work)],
    settings: { evidence: { ...evidence, commands: ["npm test"] } },
  });
  const checked = Promise.withResolvers<null>();
  const run = methodOf(rig.runner, "run");
  rig.runner.run = async (...args) => {
    await checked.promise;
    return run(...args);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it rests", async () => (await sessionsOf(rig).catch(() => [])).at(-1)?.state === "idle");
  expect(await stateOf(rig)).toBe("ACTIVE");
  await expect(rig.engine.operations.interrupt(message)).rejects.toMatchObject({
    code: "invalid_state",
    fault: { state: "idle" },
  });
  checked.resolve(null);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is not woken before its process runs: an interrupt meanwhile is kept, and ends nothing", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.operations.pause(act);
  await rig.idle();
  rig.runtime.open = never;
  await rig.engine.operations.resume({ ...act, id: "r" });
  await rig.until("it is woken", async () => (await stateOf(rig)) === "ACTIVE");
  expect(await conversation(rig)).toBe("paused");
  expect(await rig.engine.operations.interrupt(message)).toEqual({ interrupted: false });
  const wakes = await rig.store.wakes.pending((await agentOf(rig)).id);
  expect(wakes.some(({ detail }) => detail.includes("Stop."))).toBe(true);
});

it("keeps its rest when a person pauses the agent between its opening and its first word", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), edit())] });
  await tell(rig, labeled(rig, 1));
  const find = methodOf(rig.store.records, "find");
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    let once = true;
    rig.store.records.find = async (machine, where) => {
      const found = await find(machine, where);
      if (machine !== "session" || !once) return found;
      once = false;
      await rig.engine.operations.pause(act);
      return found;
    };
    return open(spec);
  };
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
  expect(await conversation(rig)).toBe("paused");
});
