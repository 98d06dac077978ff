import { expect, it } from "vitest";
import { newAgentRecord } from "../../../src/domain/agents/agent.ts";
import { stormLimit } from "../../../src/engine/breakers/storm.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf } from "../look.ts";
import { closed, labeled, reopened, said, tell } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { after, blocked, call, edit, on, onAttempt, slowly } from "../scripts.ts";

it("makes no seventh agent of an issue within an hour, says so, and makes it later", async () => {
  const script = [1, 2, 3, 4, 5, 6, 7, 8]
    .toReversed()
    .map((attempt) => onAttempt(1, attempt, slowly(HOUR, edit())));
  const rig = await aRig({ script: [...script, on(1, slowly(HOUR, edit()))] });
  for (let start = 0; start < 7; start += 1) {
    await rig.engine.handle(labeled(rig, 1));
    await rig.until(
      "it is done",
      async () =>
        withoutPutOff(await rig.store.effects.find({ state: ["pending", "leased"] }), rig.clock.now())
          .length === 0,
    );
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    rig.clock.advance(MINUTE);
  }
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(6);
  expect(await decisionsOn(rig)).toContain("storm");
  await rig.pass(HOUR);
  await rig.engine.handle(labeled(rig, 1));
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(7);
});

it("counts how deep and how broad agents set one another going", async () => {
  const rig = await aRig();
  const { storm } = someSettings();
  const born = async (issue: number, parentAgentId: number | null) =>
    rig.store.records.insert("agent", {
      ...newAgentRecord,
      repositoryId: REPOSITORY.id,
      role: "feat-dev",
      name: `feat-dev-issue-${issue}`,
      issue,
      parentAgentId,
    });
  const limit = (parentAgentId: number | null) =>
    stormLimit(storm, rig.store, { repositoryId: REPOSITORY.id, issue: 99, parentAgentId }, rig.clock.now());
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  const top = await born(10, null);
  const child = await born(11, top.id);
  const grandchild = await born(12, child.id);
  expect(await limit(null)).toBeNull();
  expect(await limit(child.id)).toBeNull();
  expect(await limit(grandchild.id)).toContain("max_depth");
  await born(13, top.id);
  expect(await limit(top.id)).toBeNull();
  await born(14, top.id);
  expect(await limit(top.id)).toContain("max_fan_out");
  // They never ran: out of the way of what the rig checks at its end.
  for (const agent of await rig.store.records.find("agent", {}))
    await rig.store.records.save("agent", agent, { ...agent, state: "CANCELLED", endedAt: rig.clock.now() });
});

it("asks a person in place of the third wake for the same that changed nothing, and counts it not", async () => {
  const again = after("which blocked you", blocked(2));
  const rig = await aRig({ script: [on(1, blocked(2), again, again, again)] });
  await tell(rig, labeled(rig, 1));
  for (let wake = 0; wake < 2; wake += 1) {
    // Open again by the time it is woken: it reports the same block.
    const [close, reopen] = [closed(rig, 2), reopened(rig, 2)];
    await tell(rig, close);
    await tell(rig, reopen);
    expect(await stateOf(rig)).toBe("SLEEPING");
  }
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "no_progress", wakes: 2 });
});

it("wakes it the third time for the same when it changed something in between", async () => {
  const again = after("which blocked you", edit("more.ts"));
  const rig = await aRig({
    script: [on(1, blocked(2), again, blocked(2), again, blocked(2), again, blocked(2))],
  });
  await tell(rig, labeled(rig, 1));
  for (let wake = 0; wake < 3; wake += 1) {
    const [close, reopen] = [closed(rig, 2), reopened(rig, 2)];
    await tell(rig, close);
    await tell(rig, reopen);
  }
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 3 });
});

it.each([
  ["looks at", call("view", { path: "README.md" })],
  ["fails to change", call("open_pr", { title: "Nothing", body: "Nothing is committed." })],
])("takes one that only %s something at each wake for one that changes nothing", async (_, step) => {
  const again = after("which blocked you", step);
  const rig = await aRig({ script: [on(1, blocked(2), again, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  for (let wake = 0; wake < 2; wake += 1) {
    const [close, reopen] = [closed(rig, 2), reopened(rig, 2)];
    await tell(rig, close);
    await tell(rig, reopen);
  }
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "no_progress", wakes: 2 });
});

it("does not count what it changed before it was woken for that", async () => {
  const again = after("which blocked you", blocked(2));
  const rig = await aRig({ script: [on(1, edit(), slowly(MINUTE, blocked(2)), again)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.idle();
  for (let wake = 0; wake < 2; wake += 1) {
    const [close, reopen] = [closed(rig, 2), reopened(rig, 2)];
    await tell(rig, close);
    await tell(rig, reopen);
  }
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "no_progress", wakes: 2 });
});
