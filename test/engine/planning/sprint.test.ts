import { expect, it } from "vitest";
import type { Move } from "../../../src/domain/kernel/change-set.ts";
import type { GoalEvent } from "../../../src/domain/planning/goal.ts";
import type { SprintEvent } from "../../../src/domain/planning/sprint.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, runOf, stateOf, statusComments, taskOf } from "../look.ts";
import { moveBy } from "../move-by.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, escalate, on, slowly, work } from "../scripts.ts";

const base = (rig: Rig) => ({ at: rig.clock.now(), actor: "alice" });

async function sprintMove(rig: Rig, event: SprintEvent): Promise<void> {
  await moveBy(rig, { machine: "sprint", id: event.type === "OPEN" ? null : 1, event });
  await rig.idle();
}

async function sprintState(rig: Rig): Promise<string | undefined> {
  return (await rig.store.records.get("sprint", 1))?.state;
}

const checkpoint = (rig: Rig): SprintEvent => ({
  ...base(rig),
  type: "CHECKPOINT",
  cause: "person",
  why: "let me look",
});

/** Issues 1 and 2 are labelled and belong to sprint 1 of goal 1; 3 belongs to none. */
async function inSprint(options: RigOptions): Promise<Rig> {
  const rig = await aRig(options);
  const milestone = { number: 2, title: "First release", dueOn: null };
  for (const number of [1, 2]) milestoned(rig, number, milestone);
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  const place = { repositoryId: REPOSITORY.id, title: "First release" };
  const goal: GoalEvent = { ...base(rig), ...place, type: "OPEN", issue: 9 };
  const sprint: SprintEvent = { ...base(rig), ...place, type: "OPEN", goalId: 1, milestone: 2, dueAt: null };
  const open = (issue: number): Move => ({
    machine: "task",
    id: null,
    event: {
      ...base(rig),
      type: "OPEN",
      repositoryId: REPOSITORY.id,
      issue,
      title: "x",
      draft: false,
      base: null,
    },
  });
  await moveBy(
    rig,
    { machine: "goal", id: null, event: goal },
    { machine: "sprint", id: null, event: sprint },
    open(1),
    open(2),
  );
  await rig.store.transaction(async ({ records }) => {
    for (const task of await records.find("task", { issue: [1, 2] }))
      await records.save("task", task, { ...task, sprintId: 1 });
  });
  return rig;
}

it("at a checkpoint saves agents at work, frees their slots and starts nobody", async () => {
  const rig = await inSprint({ script: [on(1, slowly(30 * MINUTE, edit()), ...work), on(2, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "planning");
  await sprintMove(rig, checkpoint(rig));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: ["sprint"] });
  expect((await runOf(rig))?.state).toBe("paused");
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
  expect(await rig.store.records.slotsInUse()).toBe(0);

  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
  expect(await decisionsOn(rig, 2)).toContain("held");
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("continues when a person says so: the paused wake with one wake, the waiting start", async () => {
  const rig = await inSprint({ script: [on(1, slowly(30 * MINUTE, edit()), ...work), on(2, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "planning");
  await sprintMove(rig, checkpoint(rig));
  await tell(rig, labeled(rig, 2));
  await moveBy(rig, { machine: "sprint", id: 1, event: { ...base(rig), type: "CONTINUE" } });
  await rig.until("both continue", async () => {
    const second = await stateOf(rig, "feat-dev-issue-2");
    return second === "COMPLETED" && (await stateOf(rig)) === "ACTIVE";
  });
  const { id, heldBy } = await agentOf(rig);
  expect(heldBy).toEqual([]);
  const moves = await rig.store.transitions.ofAgent(id);
  expect(moves.filter(({ machine, event }) => machine === "agent" && event === "WAKE")).toMatchObject([
    { reason: "resumed" },
  ]);
});

it("keeps what happens to a sleeper meanwhile, however long, and offers it afterwards", async () => {
  const rig = await inSprint({ script: [on(1, blocked(3), ...work)] });
  await tell(rig, labeled(rig, 1));
  await sprintMove(rig, checkpoint(rig));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked", heldBy: [] });
  await rig.pass(24 * HOUR);
  expect(await decisionsOn(rig)).toEqual([]);
  await tell(rig, closed(rig, 3));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await sprintMove(rig, { ...base(rig), type: "CONTINUE" });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("does not resume an escalated agent by continuing: that one waits for its person", async () => {
  const rig = await inSprint({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  await sprintMove(rig, checkpoint(rig));
  await sprintMove(rig, { ...base(rig), type: "CONTINUE" });
  expect(await stateOf(rig)).toBe("ESCALATED");
});

it("ends when its last task ends; one that ended at a checkpoint is counted when it continues", async () => {
  const rig = await inSprint({});
  await tell(rig, closed(rig, 1));
  expect(await sprintState(rig)).toBe("IN_PROGRESS");
  await sprintMove(rig, checkpoint(rig));
  await tell(rig, closed(rig, 2));
  expect(await sprintState(rig)).toBe("CHECKPOINT");
  await sprintMove(rig, { ...base(rig), type: "CONTINUE" });
  expect(await sprintState(rig)).toBe("COMPLETED");
});

it("is aborted with its goal, and its agents are cancelled and give their tasks back", async () => {
  const rig = await inSprint({ script: [on(1, blocked(3)), on(2, escalate), on(3, blocked(2))] });
  await tell(rig, labeled(rig, 1), labeled(rig, 2), labeled(rig, 3));
  await moveBy(rig, { machine: "goal", id: 1, event: { ...base(rig), type: "ABORT", why: "no budget" } });
  await rig.idle();
  expect(await sprintState(rig)).toBe("ABORTED");
  for (const issue of [1, 2]) {
    expect(await agentOf(rig, `feat-dev-issue-${issue}`)).toMatchObject({
      state: "CANCELLED",
      reason: "no budget",
    });
    expect((await taskOf(rig, issue))?.state).toBe("UNCLAIMED");
  }
  expect(await stateOf(rig, "feat-dev-issue-3")).toBe("SLEEPING");
});

it("leaves a transition for each move of a goal and a sprint", async () => {
  const rig = await inSprint({});
  await sprintMove(rig, checkpoint(rig));
  const rows = await rig.store.transitions.after(0, 100);
  expect(rows.filter(({ machine }) => machine === "goal" || machine === "sprint")).toMatchObject([
    { machine: "goal", event: "OPEN", to: "IN_PROGRESS" },
    { machine: "sprint", event: "OPEN", to: "IN_PROGRESS" },
    { machine: "sprint", event: "CHECKPOINT", to: "CHECKPOINT", reason: "let me look", actor: "alice" },
  ]);
});

it("is in the status comment of one that sleeps for something else, and goes from it when it continues", async () => {
  const rig = await inSprint({ script: [on(1, blocked(3))] });
  await tell(rig, labeled(rig, 1));
  await sprintMove(rig, checkpoint(rig));
  expect(statusComments(rig)[0]).toContain("(held: its sprint");
  await sprintMove(rig, { ...base(rig), type: "CONTINUE" });
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(statusComments(rig)[0]).toContain("waits for #3 to be closed |");
});
