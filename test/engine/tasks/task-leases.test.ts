import { expect, it } from "vitest";
import { watchTaskLeases } from "../../../src/engine/tasks/task-facts.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, stateOf, taskOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, escalate, on } from "../scripts.ts";
import { atWork } from "../together/work-under-way.ts";

/** Every row can be read here. */
const nobody = (_: number, error: unknown): Promise<void> => Promise.reject(error);

async function leaseLeft(rig: Rig): Promise<number> {
  return ((await taskOf(rig))?.leaseUntil ?? 0) - rig.clock.now();
}

async function asleep(step = blocked(2)): Promise<Rig> {
  const rig = await aRig({ script: [on(1, step)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("of a claim lasts as long as configured, and notes what the worktree began at", async () => {
  const rig = await asleep();
  expect(await leaseLeft(rig)).toBe(30 * MINUTE);
  expect((await taskOf(rig))?.baseCommit).toBe((await agentOf(rig)).baseCommit);
  expect((await taskOf(rig))?.baseCommit).not.toBeNull();
});

it.each(["asleep", "held", "escalated"])("is renewed while its coder is %s", async (how) => {
  const rig = await asleep(how === "escalated" ? escalate : blocked(2));
  if (how === "held") await tell(rig, said(rig, 1, "/flotilla pause"));
  await rig.pass(2 * HOUR);
  expect(await leaseLeft(rig)).toBe(30 * MINUTE);
});

it("is renewed by the coder's own lease, and not before half of it is over", async () => {
  const rig = await atWork();
  await rig.work(12 * MINUTE);
  expect(await leaseLeft(rig)).toBe(18 * MINUTE);
  await rig.work(4 * MINUTE);
  expect(await leaseLeft(rig)).toBe(30 * MINUTE);
});

it("that is lost ends a coder of which nothing is heard, after a minute's grace", async () => {
  const rig = await atWork();
  const agent = await agentOf(rig);
  const task = await taskOf(rig);
  if (task === undefined) throw new Error("there is no task");
  const over = rig.clock.now();
  await rig.store.transaction(async ({ records }) => {
    await records.save("task", task, { ...task, leaseUntil: over });
    await records.save("agent", agent, { ...agent, leaseUntil: over });
  });
  rig.clock.advance(MINUTE - 1);
  await watchTaskLeases(rig.context, nobody);
  expect(await stateOf(rig)).toBe("ACTIVE");
  rig.clock.advance(1);
  await watchTaskLeases(rig.context, nobody);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({
    state: "FAILED",
    reason: expect.stringContaining("lease of its task"),
  });
  expect(await taskOf(rig)).toMatchObject({ state: "UNCLAIMED", failedBy: [agent.id] });
});
