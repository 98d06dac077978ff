import { expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, answersTo, decisionsOn, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import { labeled, reviewed, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, call, commit, complete, edit, escalate, on, openPr, review } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const built = [edit(), commit, openPr] as const;
const { evidence, review: policy } = someSettings();
const REQUIRED = { review: { ...policy, required: true } };

it("lays the coder down until the review, and puts the claimed commit up for it", async () => {
  const rig = await aRig({ script: [on(1, ...built, review)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review", activeSince: null });
  expect(await rig.store.records.slotsInUse()).toBe(0);
  expect((await runOf(rig))?.state).toBe("waiting_input");
  const head = rig.worktrees.serverHead("flotilla/feat-dev/issue-1");
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", reviewCommit: head });
});

it("may be asked for while required checks run", async () => {
  const settings = { evidence: { ...evidence, requiredChecks: ["build"] } };
  const rig = await aRig({ settings, script: [on(1, ...built, review)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});

it("is refused while the evidence does not hold, as a claim is", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, review, after("this is missing", escalate))] });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("There is no pull request");
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
});

it("is what a completion is sent back for where the policy wants a review", async () => {
  const rig = await aRig({
    settings: REQUIRED,
    script: [on(1, ...built, complete, after("this is missing", review))],
  });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("Use `request_review`");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});

it("wakes the coder with what a person wants changed, and it asks again", async () => {
  const again = [edit("test.ts"), commit, review];
  const rig = await aRig({
    settings: REQUIRED,
    script: [on(1, ...built, review, ...again.map((s, i) => (i === 0 ? after("add a test", s) : s)))],
  });
  await tell(rig, labeled(rig, 1));
  const first = (await taskOf(rig))?.reviewCommit;
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "READY_FOR_REVIEW", reviewCyclesCurrent: 1 });
  expect(task?.reviewCommit).not.toBe(first);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).not.toContain("no_such_transition");
});

it("is not for a role that changes no code", async () => {
  const role = aRole({
    lifecycle: "ephemeral",
    evidence: "outputs",
    tools: ["request_review", "report_complete", "comment"],
  });
  const rig = await aRig({
    settings: { roles: rolesOf(role) },
    script: [on(1, review, call("report_complete", { summary: "nothing" }))],
  });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain("nothing of yours to review");
});

it("survives a kill between its record and the sleep", async () => {
  const rig = await aRig({ script: [on(1, ...built, review)] });
  let killed = false;
  rig.onCrashPoint = (name) => {
    if (name !== "turn:ended" || killed) return;
    killed = true;
    rig.life.end();
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is killed", () => killed);
  await rig.restart();
  await rig.engine.tick();
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});
