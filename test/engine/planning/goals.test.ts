import { expect, it } from "vitest";
import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { asks } from "../asking.ts";
import { agentOf, commentsOn, decisionsOn, runOf, stateOf, statusComments, taskOf } from "../look.ts";
import { moveBy } from "../move-by.ts";
import { closed, labeled, reopened, said, tell } from "../people.ts";
import { milestoneChanged, milestoned, partChanged } from "../plans.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

const FIRST: Milestone = { number: 2, title: "First release", dueOn: null };

const sprints = (rig: Rig) => rig.store.records.find("sprint", { repositoryId: REPOSITORY.id });
const sprintState = async (rig: Rig) => (await sprints(rig)).map(({ state }) => state).join();
const goalState = async (rig: Rig) =>
  (await rig.store.records.find("goal", { repositoryId: REPOSITORY.id })).map(({ state }) => state).join();

/** Issue 3 tracks a goal; it and issues 1 and 2 are in one milestone, and 1 and 2 are its sub-issues. */
async function aGoal(options: RigOptions, milestone = FIRST): Promise<Rig> {
  const rig = await aRig(options);
  for (const number of [1, 2, 3]) milestoned(rig, number, milestone);
  await tell(rig, labeled(rig, 3, { label: "goal" }));
  await tell(rig, partChanged(rig, 3, 1), partChanged(rig, 3, 2));
  return rig;
}

/** The agent on issue 1 is in the middle of an exchange. */
async function atWork(rig: Rig): Promise<void> {
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
}

const slow = on(1, edit(), slowly(30 * MINUTE, edit()), ...work);

it("opens a sprint with the first task of a milestone, under the goal whose tracking issue is in it", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2)), on(2, blocked(9))], issues: 9 });
  expect(await sprints(rig)).toEqual([]);
  await tell(rig, labeled(rig, 1), labeled(rig, 2));
  expect(await sprints(rig)).toMatchObject([
    { id: 1, state: "IN_PROGRESS", goalId: 1, milestone: 2, title: "First release", dueAt: null },
  ]);
  expect(await taskOf(rig, 1)).toMatchObject({ sprintId: 1 });
  expect(await taskOf(rig, 2)).toMatchObject({ sprintId: 1 });
});

it("gives a sprint to a goal that comes after it, and takes it back when the tracking issue leaves", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  milestoned(rig, 1, FIRST);
  await tell(rig, labeled(rig, 1));
  expect(await sprints(rig)).toMatchObject([{ goalId: null }]);
  milestoned(rig, 3, FIRST);
  await tell(rig, labeled(rig, 3, { label: "Goal" }));
  expect(await sprints(rig)).toMatchObject([{ goalId: 1 }]);
  await tell(rig, milestoned(rig, 3, null));
  expect(await sprints(rig)).toMatchObject([{ goalId: null }]);
});

it("follows an issue to another milestone: the sprint that it leaves may be done with it", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1), labeled(rig, 2), closed(rig, 2));
  expect(await sprintState(rig)).toBe("IN_PROGRESS");
  await tell(rig, milestoned(rig, 1, { ...FIRST, number: 3, title: "Second" }));
  expect(await sprints(rig)).toMatchObject([
    { milestone: 2, state: "COMPLETED" },
    { milestone: 3, state: "IN_PROGRESS", goalId: null, title: "Second" },
  ]);
  await tell(rig, milestoned(rig, 1, null));
  expect(await taskOf(rig, 1)).toMatchObject({ sprintId: null });
});

it("stops and continues with the task's sprint as the issue enters one at CHECKPOINT and leaves it", async () => {
  const rig = await aGoal({ script: [slow, on(2, blocked(3))] });
  await tell(rig, labeled(rig, 2), milestoned(rig, 1, null));
  await atWork(rig);
  await rig.engine.handle(said(rig, 3, "/flotilla checkpoint"));
  await rig.engine.handle(milestoned(rig, 1, FIRST));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["sprint"] });
  await rig.engine.handle(milestoned(rig, 1, null));
  await rig.until("it continues", async () => (await stateOf(rig)) === "ACTIVE");
});

it("takes title and due date of a milestone as they are changed", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const later = { ...FIRST, title: "One", dueOn: "2031-05-06T07:00:00Z" };
  await tell(rig, milestoneChanged(rig, later, "edited"));
  expect(await sprints(rig)).toMatchObject([{ title: "One", dueAt: Date.parse("2031-05-07T12:00:00Z") }]);
  expect(await decisionsOn(rig, 3)).toContain("milestone_followed");
});

it("asks a person when a milestone is closed over open tasks, and ends its sprint when it is deleted", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1), milestoneChanged(rig, FIRST, "closed", { by: "eve" }));
  expect(await decisionsOn(rig, 3)).toContain("not_permitted");
  await tell(rig, milestoneChanged(rig, FIRST, "closed"));
  expect(await sprintState(rig)).toBe("CHECKPOINT");
  expect(commentsOn(rig, 3)[0]).toContain(
    '`@alice` closed the milestone "First release" while 1 of its tasks',
  );
  await tell(rig, milestoneChanged(rig, FIRST, "deleted"));
  expect(await sprintState(rig)).toBe("ABORTED");
  expect(await taskOf(rig)).toMatchObject({ sprintId: null, state: "CLAIMED" });
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("comes to a checkpoint once its due date has passed, and not again after a person's word", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] }, { ...FIRST, dueOn: "2026-01-02T08:00:00Z" });
  const due = Date.parse("2026-01-03T12:00:00Z");
  expect(due - rig.clock.now()).toBeGreaterThan(0);
  await tell(rig, labeled(rig, 1));
  await rig.pass(due - rig.clock.now() - 1);
  expect(await sprintState(rig)).toBe("IN_PROGRESS");
  await rig.pass(1);
  expect(await sprintState(rig)).toBe("CHECKPOINT");
  expect(commentsOn(rig, 3)[0]).toContain("its due date passed");
  await tell(rig, said(rig, 3, "/flotilla continue"));
  await rig.pass(24 * HOUR);
  expect(await sprintState(rig)).toBe("IN_PROGRESS");
});

it("loses nothing by a checkpoint: uncommitted work, wakes and questions are there when it continues", async () => {
  const rig = await aGoal({ script: [slow, on(2, asks(), ...work)] });
  await tell(rig, labeled(rig, 2));
  await atWork(rig);
  await rig.engine.handle(said(rig, 3, "/flotilla checkpoint the money is out"));
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: ["sprint"] });
  const [body] = commentsOn(rig, 3);
  expect(body).toContain("at CHECKPOINT: `@alice` asked for a checkpoint: the money is out");
  expect(body).toContain("**Open questions**");
  expect(body).toContain("- `/flotilla continue` continues it where it stopped");
  await tell(rig, said(rig, 2, "/flotilla answer MIT"));
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("SLEEPING");
  await rig.engine.handle(said(rig, 3, "/flotilla continue"));
  await rig.until("both continue", async () => {
    const other = await stateOf(rig, "feat-dev-issue-2");
    return other === "COMPLETED" && (await stateOf(rig)) === "ACTIVE";
  });
  const { id } = await agentOf(rig);
  const wakes = await rig.store.wakes.delivered(id, 9);
  expect(wakes.map(({ reason }) => reason)).toEqual(["resumed"]);
});

it("is complete with its last task and its last sub-issue, and says so once", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect(statusComments(rig, 3)).toEqual([
    expect.stringContaining("- Sub-issues: 0 of 2 closed\n- Tasks: 1 CLAIMED"),
  ]);
  await tell(rig, closed(rig, 2));
  expect(statusComments(rig, 3)).toEqual([expect.stringContaining("- Sub-issues: 1 of 2 closed")]);
  expect(await goalState(rig)).toBe("IN_PROGRESS");
  await tell(rig, closed(rig, 1));
  expect([await sprintState(rig), await goalState(rig)]).toEqual(["COMPLETED", "COMPLETED"]);
  const bodies = commentsOn(rig, 3);
  expect(bodies.map((body) => body.split("\n")[0])).toEqual([
    "The sprint **First release** is COMPLETED.",
    "The goal **Feature 3** is COMPLETED.",
  ]);
  expect(statusComments(rig, 3)).toEqual([expect.stringContaining("**Goal: COMPLETED**")]);
});

it("hears of a closed sub-issue without its webhook, within reconcile_every", async () => {
  const rig = await aGoal({});
  closed(rig, 1);
  closed(rig, 2);
  await rig.idle();
  expect(await goalState(rig)).toBe("IN_PROGRESS");
  await rig.pass(HOUR);
  expect(await goalState(rig)).toBe("COMPLETED");
});

it("is aborted by a permitted person with its sprint and its agents, and the reason is told", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 3, "/flotilla abort", { by: "eve" }));
  expect(await goalState(rig)).toBe("IN_PROGRESS");
  await tell(rig, said(rig, 3, "/flotilla abort no budget"));
  expect([await sprintState(rig), await goalState(rig)]).toEqual(["ABORTED", "ABORTED"]);
  expect(await agentOf(rig)).toMatchObject({
    state: "CANCELLED",
    reason: "@alice aborted the goal of #3: no budget",
  });
  expect(commentsOn(rig, 3).join("\n")).toContain("is ABORTED: `@alice` aborted the goal of #3: no budget");
});

it("takes its commands only on the tracking issue, and says where that is", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1), said(rig, 1, "/flotilla checkpoint"));
  expect(await sprintState(rig)).toBe("IN_PROGRESS");
  expect(commentsOn(rig).join()).toContain("Instead: say `/flotilla checkpoint` on #3.");
  await tell(rig, said(rig, 3, "/flotilla checkpoint"), labeled(rig, 2));
  const held = (await rig.store.decisions.ofIssue(REPOSITORY.id, 2, 9)).find(({ rule }) => rule === "held");
  expect(held?.reason).toContain(
    'its sprint "First release" is at CHECKPOINT: @alice asked for a checkpoint',
  );
});

it("steers a sprint without a goal on its own issues, where it is spoken of too", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  milestoned(rig, 1, FIRST);
  await tell(rig, labeled(rig, 1), said(rig, 1, "/flotilla checkpoint"));
  expect(await sprintState(rig)).toBe("CHECKPOINT");
  expect(commentsOn(rig).at(-1)).toContain("Answer on any issue of the sprint");
  await tell(rig, said(rig, 1, "/flotilla abort"));
  expect(await sprintState(rig)).toBe("ABORTED");
  expect(await stateOf(rig)).toBe("CANCELLED");
});

it("starts no coder on a tracking issue", async () => {
  const rig = await aGoal({});
  await tell(rig, labeled(rig, 3));
  expect(await decisionsOn(rig, 3)).toContain("goal_issue");
  expect(await rig.store.records.find("agent", {})).toEqual([]);
});

it("leaves the agents of an issue alone that was reopened under another milestone", async () => {
  const rig = await aRig({ script: [on(1, blocked(2)), on(3, blocked(2))] });
  for (const number of [1, 3]) milestoned(rig, number, FIRST);
  await tell(rig, labeled(rig, 1), labeled(rig, 3), closed(rig, 1));
  milestoned(rig, 1, { ...FIRST, number: 3 });
  await tell(rig, reopened(rig, 1), said(rig, 1, "/flotilla start feat-dev"));
  expect(await stateOf(rig, "feat-dev-issue-1.2")).not.toBe("CANCELLED");
  await tell(rig, said(rig, 3, "/flotilla abort"));
  expect(await sprintState(rig)).toBe("ABORTED,IN_PROGRESS");
  expect(await stateOf(rig, "feat-dev-issue-3")).toBe("CANCELLED");
  expect(await stateOf(rig, "feat-dev-issue-1.2")).not.toBe("CANCELLED");
});

it("counts sub-issues without a milestone, and renews its comment with what happens to them", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 3, { label: "goal" }), partChanged(rig, 3, 1));
  await tell(rig, labeled(rig, 1));
  expect(statusComments(rig, 3)).toEqual([expect.stringContaining("0 of 1 closed\n- Tasks: 1 CLAIMED\n")]);
  await tell(rig, closed(rig, 1));
  expect(statusComments(rig, 3)).toEqual([expect.stringContaining("**Goal: COMPLETED**")]);
});

it("is not complete when a task was opened after its sub-issues were read", async () => {
  const rig = await aGoal({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const seen = { at: rig.clock.now(), actor: "flotilla", openSubIssues: 0, openTasks: 0 };
  const { refused } = await moveBy(rig, { machine: "goal", id: 1, event: { ...seen, type: "COMPLETE" } });
  expect(refused).toMatchObject([{ rule: "open_tasks" }]);
});
