import { expect, it } from "vitest";
import { NO_GRANT } from "../../../src/domain/commands/extension.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, stateOf } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { blocked, edit, escalate, on, slowly } from "../scripts.ts";

const { runtime } = someSettings();
const one = { runtime: { ...runtime, maxConcurrentAgents: 1 } };

it("counts the rounds in which an agent waits for a slot, in one decision", async () => {
  const rig = await aRig({ settings: one, script: [on(1, slowly(10 * MINUTE, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  for (let round = 0; round < 3; round += 1) await rig.work(MINUTE);
  const rows = await rig.store.decisions.ofIssue(REPOSITORY.id, 2, 10);
  expect(rows).toMatchObject([
    {
      rule: "slot",
      count: 4,
      change: "it starts automatically when a slot is free",
      reason: "the only slot is in use",
    },
  ]);
});

it("says why an escalated agent is not woken by what it no longer waits for", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const [agent] = await rig.store.records.find("agent", { state: "ESCALATED" });
  const wake = {
    key: "late",
    reason: "blocker",
    detail: "#2 was closed",
    grant: null,
    dueAt: 0,
    createdAt: 0,
  } as const;
  await rig.store.wakes.add({ ...wake, agentId: agent?.id ?? 0 });
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("ESCALATED");
  const [decision] = await rig.store.decisions.ofIssue(REPOSITORY.id, 1, 1);
  expect(decision).toMatchObject({
    rule: "own_wake",
    change: expect.stringContaining("/flotilla resume"),
    inputs: { wakes: ["blocker"] },
  });
});

it.each([
  ["asleep", blocked(2), "ACTIVE"],
  ["escalated", escalate, "ACTIVE"],
])("wakes one that is %s in the name of who granted last, by all that was granted", async (_, ends, to) => {
  const rig = await aRig({ script: [on(1, ends, slowly(10 * MINUTE, edit()))] });
  await tell(rig, labeled(rig, 1));
  const { id } = await agentOf(rig);
  for (const [index, by] of ["octocat", "hubot"].entries())
    await rig.store.wakes.add({
      key: `budget-${index}`,
      agentId: id,
      reason: "resumed",
      detail: `${by} gave 5 turns`,
      grant: { ...NO_GRANT, by: [by], turns: 5 },
      dueAt: 0,
      createdAt: index,
    });
  await rig.engine.tick();
  const moves = await rig.store.transitions.ofAgent(id);
  expect(moves.findLast(({ machine }) => machine === "agent")).toMatchObject({ to, actor: "hubot" });
  expect(await agentOf(rig)).toMatchObject({ state: to, extraTurns: 10 });
});

it("tells the latest decisions to whoever asks why", async () => {
  const rig = await aRig({ settings: one, script: [on(1, slowly(10 * MINUTE, edit())), on(2, blocked(3))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.engine.handle(said(rig, 2, "/flotilla why"));
  await rig.until("the answer", () => commentsOn(rig, 2).length > 0);
  expect(commentsOn(rig, 2)[0]).toContain(
    "the only slot is in use (slot) → it starts automatically when a slot is free",
  );
  await rig.engine.handle(closed(rig, 2));
  expect(await decisionsOn(rig, 2)).toContain("slot");
});
