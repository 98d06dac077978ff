import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, statusComments, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, edit, on, slowly } from "../scripts.ts";

const attributes = { ttlMs: 8 * HOUR, labels: ["team=core"], tags: ["nightly"] };
const asleep = {
  script: [on(1, blocked(2))],
  settings: { roles: rolesOf(aRole({ attributes })) },
};

it("an agent begins with the attributes of its role, a person changes them, and its ttl ends it with its reason", async () => {
  const rig = await aRig(asleep);
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", ...attributes });
  await tell(rig, said(rig, 1, "/flotilla set ttl=9h tag=urgent untag=nightly label=team=web"));
  expect(await agentOf(rig)).toMatchObject({ ttlMs: 9 * HOUR, labels: ["team=web"], tags: ["urgent"] });
  await rig.pass(9 * HOUR - 5 * MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING" });
  await rig.pass(5 * MINUTE);
  expect(await agentOf(rig)).toMatchObject({
    state: "CANCELLED",
    reason: "its time to live of 9 h is over",
    tags: ["urgent"],
  });
  expect(statusComments(rig).at(-1)).toContain("its time to live of 9 h is over");
  expect(commentsOn(rig).join()).toContain("`/flotilla retry` starts a new attempt.");
});

it("a mistyped set is answered, and is no last decision about the work", async () => {
  const rig = await aRig(asleep);
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla set ttl=forever"));
  expect(commentsOn(rig).join()).toContain("`/flotilla set` changes nothing");
  expect(statusComments(rig)[0]).toContain("Last command");
  expect(statusComments(rig)[0]).not.toContain("Last decision");
});

const NOTE = "you have used 8 of 10 minutes of your time to live. Come to an end";
const readsNote = (rig: Rig) =>
  rig.runtime.requests.map((messages) => messages.filter(({ content }) => content.includes(NOTE)).length);
const nearIn = (rig: Rig) => rig.logged.filter(({ message }) => message === "an agent comes near a limit");

it("an agent whose time to live comes to its end reads so once, also where it is set while the agent works", async () => {
  const rig = await aRig({ script: [on(1, slowly(8 * MINUTE, edit()), edit("b.ts"), blocked(2))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, "/flotilla set ttl=10m"));
  await rig.work(8 * MINUTE);
  await rig.idle();
  expect(readsNote(rig)).toEqual([0, 1, 1]);
  expect(nearIn(rig)).toHaveLength(1);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", warned: ["ttl:600000"] });
});

it("an agent whose time to live came near its end while it slept reads so when it wakes", async () => {
  const settings = { roles: rolesOf(aRole({ attributes: { ...attributes, ttlMs: 10 * MINUTE } })) };
  const rig = await aRig({ script: [on(1, blocked(2), blocked(3))], settings });
  await tell(rig, labeled(rig, 1));
  await rig.pass(8 * MINUTE);
  expect(nearIn(rig)).toEqual([]);
  await tell(rig, closed(rig, 2));
  expect(toldTo(rig)[1]).toContain(NOTE);
  expect(nearIn(rig)).toHaveLength(1);
});
