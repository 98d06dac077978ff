import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { answersTo, stateOf, toldTo } from "../look.ts";
import { labeled, reviewed, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { call, commit, complete, edit, on, openPr, say, slowly, work } from "../scripts.ts";

const HELLO = "@flotilla please name it shop-lamp";
const times = (texts: readonly string[]) => texts.filter((text) => text.includes("shop-lamp")).length;

it("tells an agent at work a message once, with the next answer", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, say("Hm.")), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, HELLO));
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)).toHaveLength(2);
  expect(times(toldTo(rig))).toBe(1);
});

it("tells it through check_for_events, and then not again", async () => {
  const look = call("check_for_events");
  const rig = await aRig({ script: [on(1, slowly(MINUTE, look), look, say("Hm."), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, HELLO));
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(times(answersTo(rig))).toBe(1);
  expect(answersTo(rig)[1]).toBe("Nothing new.");
  expect(times(toldTo(rig))).toBe(0);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("does not lose a message to a restart, and tells it once", async () => {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, HELLO));
  await rig.restart();
  await rig.engine.tick();
  await rig.until("it talks again", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(times(toldTo(rig))).toBe(1);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("tells a message that comes with the claim of completion before the work counts as complete", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, slowly(MINUTE, complete), complete)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is about to report", () => rig.runtime.requests.length === 4);
  await rig.engine.handle(said(rig, 1, HELLO));
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(times(toldTo(rig))).toBe(1);
  expect(toldTo(rig).at(-1)).toContain("this came before your report");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("tells a review to the agent that is at work on that pull request", async () => {
  const rig = await aRig({
    script: [on(1, edit(), commit, openPr, slowly(MINUTE, say("Hm.")), ...work.slice(3))],
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 4);
  const [number = 0] = rig.repository.pulls.keys();
  await rig.engine.handle(reviewed(rig, number, "commented", { body: "Looks fine." }));
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(toldTo(rig)[1]).toContain(`@alice reviewed #${number}: commented. Looks fine.`);
});

it("puts a message to an agent that waits to start into its first message", async () => {
  const settings = { runtime: { ...someSettings().runtime, maxConcurrentAgents: 1 } };
  const rig = await aRig({ settings, script: [on(1, ...work), on(2, slowly(MINUTE, complete), ...work)] });
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("the other talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(said(rig, 1, HELLO));
  expect(await stateOf(rig)).toBe("CREATED");
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(times(toldTo(rig))).toBe(1);
  expect(toldTo(rig)[0]).toContain("shop-lamp");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("says where nobody takes a message", async () => {
  const rig = await aRig();
  await tell(rig, said(rig, 1, HELLO));
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 5);
  expect(decision?.rule).toBe("nobody_concerned");
});
