import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, statusComments, taskOf } from "../look.ts";
import { dismissed, labeled, pullClosed, pushed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { after, commit, edit, on, openPr, review, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const BRANCH = "flotilla/feat-dev/issue-1";

/** A coder that waits for a review of its commit. */
async function waiting(options: RigOptions = {}): Promise<Rig> {
  const more = [after("one more thing", edit("more.ts")), commit, review];
  const rig = await aRig({ ...options, script: [on(1, edit(), commit, openPr, review, ...more)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("approves by a person's review of the commit, and its coder sleeps on until the merge", async () => {
  const rig = await waiting();
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review", wakes: 0 });
  await tell(rig, pullClosed(rig, pullOf(rig), { merged: true }));
  expect((await taskOf(rig))?.state).toBe("MERGED");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("leaves a coder that reported completion where it is", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("waits for as many people as the policy wants, each counted once", async () => {
  const rig = await waiting({ settings: { review: { ...someSettings().review, reviewers: 2 } } });
  const alice = () => reviewed(rig, pullOf(rig), "approved");
  await tell(rig, alice(), alice());
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [{ reviewer: "alice" }] });
  await tell(rig, dismissed(rig, pullOf(rig), "alice"));
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  await tell(rig, alice());
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});

it("is void once somebody pushes, and a review of the commit before counts for nothing", async () => {
  const rig = await waiting();
  const before = (await taskOf(rig))?.reviewCommit ?? null;
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await tell(rig, pushed(rig, BRANCH, { "by-hand.ts": "1" }));
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  expect(task?.reviewCommit).toBe(rig.worktrees.serverHead(BRANCH));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob", commit: before }));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(statusComments(rig).at(-1)).toContain("it counts for nothing");
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "alice" }));
  expect((await decisionsOn(rig)).at(-1)).toBe("own_work");
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("is void once the coder itself commits again", async () => {
  const rig = await waiting();
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  await tell(rig, said(rig, 1, "@flotilla one more thing, please"));
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  expect(task?.reviewCommit).toBe(rig.worktrees.serverHead(BRANCH));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});

it("is void once it is dismissed, and another one of the same commit counts", async () => {
  const rig = await waiting();
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  await tell(rig, dismissed(rig, pullOf(rig), "alice"));
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});
