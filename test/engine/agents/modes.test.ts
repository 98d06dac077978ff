import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { agentOf, sessionsOf, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";

const script = [on(1, slowly(2 * HOUR, edit()), ...work.slice(1))];

it("ends an agent at work when its time to live is over: its conversation is stopped as ttl_expired", async () => {
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, "/flotilla set ttl=1m"));
  rig.clock.advance(MINUTE);
  await rig.engine.tick();
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({
    state: "CANCELLED",
    reason: "its time to live of 1 min is over",
  });
  expect((await sessionsOf(rig)).at(-1)).toMatchObject({ state: "stopped", reason: "ttl_expired" });
  expect(rig.runtime.running.size).toBe(0);
});

it("gives an ephemeral agent one run, and a persistent one a conversation", async () => {
  const once = aRole({ name: "sorter", lifecycle: "ephemeral", evidence: "outputs" });
  const rig = await aRig({
    script,
    settings: {
      roles: rolesOf({ ...once, triggers: [{ event: "issues.labeled", label: "sort" }] }, aRole()),
    },
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2, { label: "sort" }));
  const [feature, sorter] = await rig.store.records.find("agent", {});
  expect([feature?.mode, sorter?.mode]).toEqual(["continuous", "one_shot"]);
});

it("starts nothing for a conversation that the runtime cannot hold", async () => {
  const rig = await aRig({ script });
  rig.runtime.modes = ["one_shot"];
  const calls: string[] = [];
  rig.onCall = (call) => calls.push(call);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("FAILED");
  expect((await agentOf(rig)).reason).toContain("the runtime copilot cannot do this: a continuous session");
  expect(calls.filter((call) => /^(?:worktrees\.prepare|runtime\.open)$/.test(call))).toEqual([]);
});
