import { expect, it } from "vitest";
import { aRole } from "../factories/a-role.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { rolesOf } from "../factories/some-settings.ts";
import { agentOf, commentsOn, statusComments } from "./look.ts";
import { labeled, said, tell } from "./people.ts";
import { aRig } from "./rig.ts";
import { blocked, on } from "./scripts.ts";

const marks = { ttlMs: 8 * HOUR, labels: ["team=core"], tags: ["nightly"] };
const asleep = {
  script: [on(1, blocked(2))],
  settings: { roles: rolesOf(aRole({ marks })) },
};

it("an agent begins with the marks of its role, a person changes them, and its ttl ends it with its reason", async () => {
  const rig = await aRig(asleep);
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", ...marks });
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
