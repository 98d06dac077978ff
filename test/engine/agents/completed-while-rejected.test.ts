import { expect, it } from "vitest";
import { agentOf, commentsOn, decisionsOn, stateOf, taskOf } from "../look.ts";
import { dismissed, labeled, pullClosed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, edit, escalate, on, openPr, review, type Step } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const built = [edit(), commit, openPr, review] as const;
const completes = (rig: Rig) => tell(rig, said(rig, 1, "/flotilla complete"));
const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;

/** Rejected by alice while its coder is paused. */
async function rejectedAndPaused(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...built, after("Please add a test", review))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  return rig;
}

/** Rejected by alice; its coder has taken it up again and asks a person, after what it did. */
async function takenUpAgain(first: Step, ...more: readonly Step[]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...built, after("Please add a test", first), ...more)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  expect([await stateOf(rig), await stateOfTask(rig)]).toEqual(["ESCALATED", "CLAIMED"]);
  return rig;
}

it("keeps the coder of rejected work that is paused, and says how it continues", async () => {
  const rig = await rejectedAndPaused();
  await completes(rig);
  expect([await stateOf(rig), await stateOfTask(rig)]).toEqual(["SLEEPING", "REJECTED"]);
  expect(await decisionsOn(rig)).toContain("changes_requested");
  const answer = commentsOn(rig).at(-1);
  expect(answer).toContain("`/flotilla complete` changes nothing: its work was rejected");
  expect(answer).toContain("`/flotilla resume` lets its coder change it; merge #4 on GitHub");
  await tell(rig, pullClosed(rig, pullOf(rig), { merged: true }));
  expect([await stateOf(rig), await stateOfTask(rig)]).toEqual(["COMPLETED", "MERGED"]);
});

it("is refused to the operator too, with the same advice", async () => {
  const rig = await rejectedAndPaused();
  const act = { agent: "acme/shop:feat-dev-issue-1", id: "1", by: "operator:alice", reason: null };
  await expect(rig.engine.operations.complete(act)).rejects.toThrow(/its work was rejected/);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("puts no commit up for review of which a person requests changes", async () => {
  const rig = await takenUpAgain(escalate);
  await completes(rig);
  expect([await stateOf(rig), await stateOfTask(rig)]).toEqual(["ESCALATED", "CLAIMED"]);
  const answer = commentsOn(rig).at(-1);
  expect(answer).toContain("the changes that @alice requested of its newest commit are not made yet");
  expect(answer).toContain("let @alice approve that commit or dismiss the request for changes on GitHub");
  expect(answer).toContain("merge #4 on GitHub");
});

it.each([
  ["was dismissed", (rig: Rig) => dismissed(rig, pullOf(rig), "alice")],
  ["was made up for by an approval", (rig: Rig) => reviewed(rig, pullOf(rig), "approved", { by: "alice" })],
])("puts it up for review once the request %s", async (_, act) => {
  const rig = await takenUpAgain(escalate);
  await rig.engine.handle(act(rig));
  await rig.engine.handle(said(rig, 1, "/flotilla complete"));
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(["READY_FOR_REVIEW", "APPROVED"]).toContain(await stateOfTask(rig));
});

it("puts up what was changed since", async () => {
  const rig = await takenUpAgain(edit("test.ts"), commit, escalate);
  await completes(rig);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await taskOf(rig)).toMatchObject({
    state: "READY_FOR_REVIEW",
    reviewCommit: (await agentOf(rig)).headCommit,
  });
});
