import { expect, it } from "vitest";
import { staggerDelay } from "../../../src/domain/breakers/provider-breaker.ts";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { killOnce, silent } from "../kill-once.ts";
import { agentOf, commentsOn, historyOf, runOf, sessionsOf, stateOf, taskOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, blocked, complete, edit, on, say, slowly, work } from "../scripts.ts";

it("tries an agent again whose process died: after 5, 10, 20 s, and then it has failed", async () => {
  const rig = await aRig({ script: [silent] });
  await rig.engine.handle(labeled(rig, 1));
  for (const [restarts, seconds] of [5, 10, 20].entries()) {
    await killOnce(rig);
    expect(await agentOf(rig)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "retry",
      restarts: restarts + 1,
      dueAt: rig.clock.now() + seconds * 1000,
    });
    expect((await runOf(rig))?.state).toBe("error");
    await rig.pass(seconds * 1000 - 1);
    expect(await stateOf(rig)).toBe("SLEEPING");
    rig.clock.advance(1);
  }
  await killOnce(rig);
  expect(await stateOf(rig)).toBe("FAILED");
  expect(commentsOn(rig).join()).toContain(
    "4 tries in a row failed; the last time the agent's process died: killed",
  );
  expect((await agentOf(rig)).wakes).toBe(0);
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
});

it("pauses as long for an agent whose process dies before its model was asked", async () => {
  const rig = await aRig({ script: [silent] });
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => ({
    ...(await open(spec)),
    exchange: () => Promise.resolve({ kind: "runtime_died", detail: "it was killed" }),
  });
  await tell(rig, labeled(rig, 1));
  for (const [restarts, seconds] of [5, 10, 20].entries()) {
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", restarts: restarts + 1 });
    await rig.pass(seconds * 1000 - 1);
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", restarts: restarts + 1 });
    await rig.pass(1);
  }
  expect(await stateOf(rig)).toBe("FAILED");
});

it("keeps the news that came in a pause after a crash, and tells it when the pause is over", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    rig.runtime.open = open;
    const died = { kind: "runtime_died", detail: "it was killed" } as const;
    return { ...(await open(spec)), exchange: () => Promise.resolve(died) };
  };
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry", restarts: 1 });
  await rig.pass(4999);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(1);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("continues in the same conversation after a crash", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
  await rig.engine.handle(labeled(rig, 1));
  await killOnce(rig);
  rig.clock.advance(5000);
  await rig.engine.tick();
  await rig.until("it talks again", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(await sessionsOf(rig)).toMatchObject([{ lives: 2, state: "stopped" }]);
  expect(toldTo(rig)[1]).toContain("interrupted by a failure");
});

it("counts only crashes in a row: an exchange that ends well clears them", async () => {
  const script = [on(1, slowly(MINUTE, say("Hm.")), slowly(MINUTE, complete), ...work)];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await killOnce(rig);
  rig.clock.advance(5000);
  await rig.engine.tick();
  await rig.until("it talks again", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.until("it is nudged", () => rig.runtime.requests.length === 3);
  expect((await agentOf(rig)).restarts).toBe(0);
});

it.each([429, 503])(
  "parks the model provider for a minute when it answers %i, and counts nothing",
  async (status) => {
    const refused = { error: { status, message: "later" } };
    const rig = await aRig({ script: [on(1, { ...refused, when: "^Work on" }, ...work)] });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "provider_limit",
      dueAt: rig.clock.now() + MINUTE + staggerDelay(1),
      restarts: 0,
      turns: 0,
    });
    await rig.pass(MINUTE + staggerDelay(1) - 1);
    expect(await stateOf(rig)).toBe("SLEEPING");
    await rig.pass(1);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect((await agentOf(rig)).wakes).toBe(0);
  },
);

it("asks a person when the provider refuses our key, and continues after it", async () => {
  const refused = { error: { status: 401, message: "bad key" }, when: "^Work on" };
  const rig = await aRig({ script: [on(1, refused, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "provider" });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("asks a person when the key is refused before the first word, too", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = () => {
    rig.runtime.open = open;
    const advice = "Check the provider's key.";
    return Promise.reject(new RuntimeError("authentication", "401", { consequence: "tell", advice }));
  };
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "provider" });
  expect(commentsOn(rig).join()).toContain("Check the provider's key.");
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("fails an agent whose request the model calls invalid", async () => {
  const rig = await aRig({ script: [on(1, { error: { status: 400, message: "no such model" } })] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("FAILED");
  expect(commentsOn(rig).join()).toContain("no such model");
});

it("hands a damaged conversation over to a new one", async () => {
  const rig = await aRig({
    script: [on(1, slowly(MINUTE, edit()), after("earlier conversation is lost", edit()), ...work.slice(1))],
  });
  await rig.engine.handle(labeled(rig, 1));
  await killOnce(rig);
  await rig.store.conversations.drop((await agentOf(rig)).id);
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async () => {
    rig.runtime.open = open;
    throw new RuntimeError("session_damaged", "its log is cut", { consequence: "stop" });
  };
  await rig.pass(5000);
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await stateOf(rig)).toBe("COMPLETED");
  const sessions = await sessionsOf(rig);
  expect(sessions.map(({ state }) => state)).toEqual(["stopped", "stopped"]);
  expect((await agentOf(rig)).sessionCount).toBe(2);
});

it("sleeps over a failure of GitHub's that will pass, uncounted", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  let down = true;
  const pullRequest = methodOf(rig.github, "pullRequest");
  rig.github.pullRequest = async (...args) => {
    if (down) throw new RuntimeError("unavailable", "502", { consequence: "retry" });
    return pullRequest(...args);
  };
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry", restarts: 0 });
  down = false;
  await rig.pass(30_000);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)).toHaveLength(1);
});
