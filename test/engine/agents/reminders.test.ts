import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, edit, escalate, on, slowly } from "../scripts.ts";

const TWO = { settings: { escalation: { label: "needs-human", notify: ["oncall", "second"] } } };

it("reminds of an escalation once and then a second person, at their times, over restarts", async () => {
  const rig = await aRig({ ...TWO, script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const before = commentsOn(rig).length;
  await rig.pass(4 * HOUR - 1);
  expect(commentsOn(rig)).toHaveLength(before);
  await rig.pass(1);
  expect(commentsOn(rig)).toHaveLength(before + 1);
  await rig.restart();
  await rig.pass(HOUR);
  expect(commentsOn(rig).slice(before).join()).toContain("@oncall, a reminder: **feat-dev** needs a person");
  await rig.pass(19 * HOUR);
  await rig.pass(9 * HOUR);
  expect(commentsOn(rig).slice(before)).toHaveLength(2);
  expect(commentsOn(rig).at(-1)).toContain("@second, nobody has answered **feat-dev** yet");
  expect(await decisionsOn(rig)).toEqual(["reminded", "second_person"]);
});

it("reminds of an agent that a person paused, and not of one that waits for no person or cannot be helped", async () => {
  const rig = await aRig({ ...TWO, issues: 3, script: [on(1, slowly(MINUTE, edit())), on(2, blocked(3))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await tell(rig, said(rig, 1, "/flotilla pause"), labeled(rig, 2));
  const paused = await agentOf(rig);
  expect(paused).toMatchObject({ state: "SLEEPING", sleepReason: "paused", reminders: 0 });
  await rig.store.scopePauses.add({ scope: "all", holder: "person", by: "ops", reason: null, since: 0 });
  await rig.pass(5 * HOUR);
  expect(await agentOf(rig)).toMatchObject({ reminders: 0 });
  await rig.store.scopePauses.lift("all", "person");
  await rig.pass(MINUTE);
  expect(await agentOf(rig)).toMatchObject({ reminders: 1 });
  expect(commentsOn(rig).at(-1)).toContain("is paused since");
  expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ reminders: 0 });
});
