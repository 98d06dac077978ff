import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { takeIn } from "../inbox-of.ts";
import { decisionsOn, statusComments, taskOf, toldTo } from "../look.ts";
import { branchOf, checkOf, merging, rounds } from "../merge-queue-rig.ts";
import { dismissed, labeled, reviewed, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, commit, edit, on, openPr, review, say } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const told = (rig: Rig) => toldTo(rig).filter((text) => text.includes("Please add a test."));
const headOf = (rig: Rig) => rig.worktrees.serverHead(branchOf(1)) ?? "";
const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;
const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;

const green = (rig: Rig) => rig.repository.checks.set(headOf(rig), [checkOf("build", "green")]);

const asked = [after("Please add a test", say("I do not see why."))];

/** Approved by bob at `read`; Flotilla has updated it with the base since, and waits for the checks of the new head. */
async function updated(): Promise<{ readonly rig: Rig; readonly read: string }> {
  const rig = await aRig({
    settings: merging(["build"]),
    script: [on(1, edit(), commit, openPr, review, ...asked, ...asked)],
  });
  await tell(rig, labeled(rig, 1));
  const read = headOf(rig);
  green(rig);
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  await tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));
  await rounds(rig);
  expect(headOf(rig)).not.toBe(read);
  expect(await taskOf(rig)).toMatchObject({ state: "APPROVED", reviewCommit: headOf(rig) });
  return { rig, read };
}

const requestsOf = async (rig: Rig) => {
  const rows = await rig.store.verdicts.ofTask((await taskOf(rig))?.id ?? 0);
  return rows.filter(({ state, approves }) => state === "current" && !approves).map((one) => one.reviewer);
};

it("rejects work that was updated since its author read it, and wakes the coder", async () => {
  const { rig, read } = await updated();
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice", commit: read }));
  green(rig);
  await rounds(rig);
  expect(isMerged(rig)).toBe(false);
  expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 1, verdicts: [] });
  expect(["REJECTED", "CLAIMED"]).toContain(await stateOfTask(rig));
  expect(told(rig)).toHaveLength(1);
  expect(await decisionsOn(rig)).not.toContain("other_commit");
});

it("is found before the merge although its webhook is lost, and rejects the work once", async () => {
  const { rig, read } = await updated();
  const late = reviewed(rig, pullOf(rig), "changes_requested", { by: "alice", commit: read });
  green(rig);
  await rig.pass(10 * MINUTE);
  expect(isMerged(rig)).toBe(false);
  expect(statusComments(rig).at(-1)).toContain("`@alice` requested changes of #4 on GitHub");
  expect(await takeIn(rig)).toEqual(["pull_request_review.submitted"]);
  await rounds(rig);
  expect(told(rig)).toHaveLength(1);
  await tell(rig, late);
  expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 1 });
  expect(isMerged(rig)).toBe(false);
});

it.each(["dismissed", "approved"] as const)(
  "stops no merge once it is %s before it is found",
  async (how) => {
    const { rig, read } = await updated();
    reviewed(rig, pullOf(rig), "changes_requested", { by: "alice", commit: read });
    if (how === "dismissed") dismissed(rig, pullOf(rig), "alice");
    else reviewed(rig, pullOf(rig), "approved", { by: "alice", commit: read });
    green(rig);
    await rig.pass(10 * MINUTE);
    await rounds(rig);
    expect(isMerged(rig)).toBe(true);
  },
);

it.each(["dismissed", "approved"] as const)("stands after the rejection until it is %s", async (how) => {
  const { rig, read } = await updated();
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice", commit: read }));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "bob", commit: read }));
  expect(await requestsOf(rig)).toEqual(["alice", "bob"]);
  const lifts =
    how === "dismissed"
      ? { ...dismissed(rig, pullOf(rig), "alice"), reviewedCommit: read }
      : reviewed(rig, pullOf(rig), "approved", { by: "alice", commit: read });
  await tell(rig, lifts);
  expect(await requestsOf(rig)).toEqual(["bob"]);
});

it("wakes the coder again where its commit came under review only after it was read", async () => {
  const { rig } = await updated();
  // Somebody else updates the branch, and alice reads that commit before Flotilla carries the approval over.
  rig.worktrees.serverCommit("main", { "more.txt": "moved again\n" });
  await rig.worktrees.updateBranch(REPOSITORY, {
    branch: branchOf(1),
    base: "main",
    expected: headOf(rig),
    author: { name: "bob", email: "bob@example.test" },
    mayPush: async () => true,
  });
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  expect(await decisionsOn(rig)).toContain("other_commit");
  expect(told(rig)).toHaveLength(1);
  green(rig);
  await rig.pass(10 * MINUTE);
  await takeIn(rig);
  await rounds(rig);
  // Where the issue was looked at before the approval was carried over, the merge queue finds the request.
  await takeIn(rig);
  expect(isMerged(rig)).toBe(false);
  expect(await taskOf(rig)).toMatchObject({ reviewCyclesCurrent: 1 });
  expect(told(rig)).toHaveLength(2);
});
