import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, historyOf, stateOf } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, slowly, work } from "../scripts.ts";

const { runtime } = someSettings();
const one = { runtime: { ...runtime, maxConcurrentAgents: 1 } };
const slow = [slowly(MINUTE, edit()), ...work.slice(1)];
const second = "feat-dev-issue-2";

async function rounds(rig: Rig, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await rig.engine.tick();
}

it("lets the second wait in CREATED with a decision, and starts it when the first ends", async () => {
  const rig = await aRig({ settings: one, script: [on(1, ...slow), on(2, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rounds(rig, 5);
  expect(await stateOf(rig, second)).toBe("CREATED");
  expect(await decisionsOn(rig, 2)).toEqual(["slot"]);
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await stateOf(rig, second)).toBe("COMPLETED");
});

it("never has more agents at work than slots", async () => {
  const issues = [1, 2, 3, 4, 5];
  const settings = { runtime: { ...runtime, maxConcurrentAgents: 2 } };
  const rig = await aRig({ settings, script: issues.map((issue) => on(issue, ...work)), issues: 5 });
  let most = 0;
  rig.onCall = () => {
    most = Math.max(most, rig.runtime.running.size);
  };
  for (const issue of issues) await rig.engine.handle(labeled(rig, issue));
  await rig.idle();
  expect(await rig.store.records.find("agent", { state: "COMPLETED" })).toHaveLength(5);
  expect(most).toBe(2);
});

it("runs one agent of a singleton role in a repository at a time", async () => {
  const settings = { roles: rolesOf(aRole({ singleton: true })) };
  const rig = await aRig({ settings, script: [on(1, ...slow), on(2, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rounds(rig, 3);
  expect(await stateOf(rig, second)).toBe("CREATED");
  const [decision] = await rig.store.decisions.ofIssue(7, 2, 5);
  expect(decision?.reason).toContain("feat-dev-issue-1 is the one feat-dev at work");
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await stateOf(rig, second)).toBe("COMPLETED");
});

it("offers a wake again that was refused for a slot", async () => {
  const waits = on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1));
  const rig = await aRig({ settings: one, script: [waits, on(3, ...slow)] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 3));
  await rig.until("the other talks", () => rig.runtime.requests.length === 2);
  await rig.engine.handle(closed(rig, 2));
  await rounds(rig, 5);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig, 1)).toEqual(["slot"]);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect((await agentOf(rig)).wakes).toBe(1);
});
