import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, historyOf, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { branchOf, checkOf, merging } from "../merge-queue-rig.ts";
import { labeled, reviewed, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, commit, edit, on, onAttempt, openPr, review, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

it("rejects approved work when another person asks for changes, and wakes its coder", async () => {
  const fixes = after("Please add a test.", edit("test.ts"));
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, review, fixes, commit, review)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  expect(toldTo(rig)[1]).toContain("Please add a test.");
  expect(await taskOf(rig)).toMatchObject({
    state: "READY_FOR_REVIEW",
    verdicts: [],
    reviewCyclesCurrent: 1,
    reviewCommit: rig.worktrees.serverHead(branchOf(1)),
  });
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "review" });
});

it("keeps the worktree of a coder that sleeps for its review when its rejected work is taken back", async () => {
  const fixes = after("Please add a test.", edit("test.ts"));
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, review, fixes)] });
  await tell(rig, labeled(rig, 1));
  const { name, worktreePath } = await agentOf(rig);
  rig.worktrees.write(name, "notes.txt", "Not committed.");
  await rig.engine.handle(reviewed(rig, pullOf(rig), "changes_requested"));
  await rig.until("it edits", () => rig.worktrees.read(name, "test.ts") !== null);
  expect((await rig.store.transitions.ofAgent((await agentOf(rig)).id)).map(({ event }) => event)).toContain(
    "WAKE",
  );
  expect(await taskOf(rig)).toMatchObject({ state: "CLAIMED", worktree: name });
  expect(await agentOf(rig)).toMatchObject({ state: "ACTIVE", worktreePath });
  expect(rig.worktrees.read(name, "notes.txt")).toBe("Not committed.");
  expect(await rig.store.effects.find({ kind: "remove_worktree" })).toEqual([]);
});

it("reopens a coder that had completed, and the approval of before counts no more", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, edit("test.ts"), ...work.slice(1)), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(await historyOf(rig)).toContain("COMPLETED");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it.each(["READY_FOR_REVIEW", "APPROVED"])(
  "rejects nothing in %s by a review of an older commit, whose words reach the coder",
  async (state) => {
    const fixes = after("Please add a test.", edit("test.ts"));
    const rig = await aRig({ script: [on(1, edit(), commit, openPr, review, fixes, commit, review)] });
    await tell(rig, labeled(rig, 1));
    const under = rig.worktrees.serverHead(branchOf(1));
    if (state === "APPROVED") await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
    await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { commit: "d".repeat(40) }));
    expect(toldTo(rig)[1]).toContain("Please add a test.");
    expect(toldTo(rig)[1]).toContain(`This is about ddddddd; under review is ${under?.slice(0, 7)}.`);
    expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 0, reviewCyclesTotal: 0 });
    expect(await decisionsOn(rig)).toContain("other_commit");
  },
);

it("says on the issue that a review of an older commit reaches no coder that has completed", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { commit: "d".repeat(40) }));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(1);
  expect(statusComments(rig)[0]).toContain("asked for changes in ddddddd");
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(2);
});

it("does not merge work that was approved and then rejected", async () => {
  const script = [on(1, edit(), commit, openPr, review)];
  const rig = await aRig({ settings: merging(["test"]), script });
  await tell(rig, labeled(rig, 1));
  const head = rig.worktrees.serverHead(branchOf(1)) ?? "";
  rig.repository.checks.set(head, [checkOf("test", "pending")]);
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  rig.repository.checks.set(head, [checkOf("test", "green")]);
  await rig.pass(10 * MINUTE);
  expect(rig.repository.pulls.get(pullOf(rig))?.merged).toBe(false);
  expect(statusComments(rig).at(-1)).toContain("Please add a test.");
});
