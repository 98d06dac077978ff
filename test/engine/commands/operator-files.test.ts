import { expect, it } from "vitest";
import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, runOf, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { milestoned, partChanged } from "../plans.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

const slow = on(1, edit(), slowly(30 * MINUTE, edit()), ...work);

const FIRST: Milestone = { number: 2, title: "First release", dueOn: null };
const SECOND: Milestone = { number: 3, title: "Second release", dueOn: null };

const sprints = async (rig: Rig) =>
  (await rig.store.records.find("sprint", { repositoryId: REPOSITORY.id })).map(({ state }) => state);

async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [slow] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

/** Two sprints: one without a goal, and one of the goal of issue 3 with an agent at work on issue 1. */
async function twoSprints(): Promise<Rig> {
  const rig = await aRig({ script: [slow, on(4, blocked(9))], issues: 9 });
  for (const number of [1, 3]) milestoned(rig, number, FIRST);
  milestoned(rig, 4, SECOND);
  await tell(rig, labeled(rig, 3, { label: "goal" }));
  await tell(rig, partChanged(rig, 3, 1));
  await tell(rig, labeled(rig, 4));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

it("PAUSE puts agents to sleep, ends their processes, and lets none start or wake while it is there", async () => {
  const rig = await atWork();
  rig.operatorFiles.there.add("PAUSE");
  await rig.engine.tick();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
  await tell(rig, labeled(rig, 2));
  await rig.work(20 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
  expect(statusComments(rig).at(-1)).toContain("the file PAUSE in the data directory holds all agents");
  expect(statusComments(rig).at(-1)).toContain("remove it to let them continue");
});

it("the agents that PAUSE paused continue when it is removed, and no others", async () => {
  const rig = await aRig({ script: [slow, on(2, edit(), slowly(30 * MINUTE, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("they work", () => rig.runtime.running.size === 2);
  await rig.engine.handle(said(rig, 2, "/flotilla pause"));
  await rig.until("one is paused", async () => (await stateOf(rig, "feat-dev-issue-2")) === "SLEEPING");
  rig.operatorFiles.there.add("PAUSE");
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.operatorFiles.there.delete("PAUSE");
  await rig.engine.tick();
  await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
  expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
});

it("a pause by a person outlives the file, and the file a person's resume", async () => {
  const rig = await aRig({ script: [slow] });
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:ada", reason: null });
  rig.operatorFiles.there.add("PAUSE");
  await rig.engine.tick();
  const holders = async () => (await rig.store.scopePauses.list()).map(({ holder }) => holder);
  expect(await holders()).toEqual(["person", "file"]);
  await rig.engine.operations.resumeScope("all");
  expect(await holders()).toEqual(["file"]);
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:ada", reason: null });
  rig.operatorFiles.there.delete("PAUSE");
  await rig.engine.tick();
  expect(await holders()).toEqual(["person"]);
});

it("a file that was there at the start holds what would start, and one removed while Flotilla was stopped holds nothing", async () => {
  const rig = await aRig({ script: [slow] });
  rig.operatorFiles.there.add("PAUSE");
  await rig.engine.tick();
  await tell(rig, labeled(rig, 1));
  await rig.restart();
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("CREATED");
  rig.operatorFiles.there.delete("PAUSE");
  await rig.restart();
  await rig.engine.tick();
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
});

it("CHECKPOINT stops every sprint once and is removed: a person who continues is not stopped again", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.there.add("CHECKPOINT");
  await rig.engine.tick();
  await rig.idle();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  expect(rig.operatorFiles.there.size).toBe(0);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  const [sprint] = await rig.store.records.find("sprint", { repositoryId: REPOSITORY.id });
  expect(sprint?.reason).toContain("the operator created the file CHECKPOINT in the data directory");
  await rig.engine.handle(said(rig, 3, "/flotilla continue"));
  await rig.engine.tick();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "IN_PROGRESS"]);
});

it("asks no sprint twice for one file, also where the file cannot be removed", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.there.add("CHECKPOINT");
  const remove = rig.operatorFiles.remove.bind(rig.operatorFiles);
  rig.operatorFiles.remove = () => Promise.reject(new Error("read-only"));
  await rig.engine.tick();
  await rig.engine.handle(said(rig, 3, "/flotilla continue"));
  await rig.engine.tick();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "IN_PROGRESS"]);
  rig.operatorFiles.remove = remove;
  await rig.engine.tick();
  expect(rig.operatorFiles.there.size).toBe(0);
  rig.operatorFiles.there.add("CHECKPOINT");
  await rig.engine.tick();
  await rig.engine.tick();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
});

it("asks again where the database failed, and removes the file only then", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.there.add("CHECKPOINT");
  const byName = rig.store.repositories.byName.bind(rig.store.repositories);
  let failing = true;
  rig.store.repositories.byName = (...name) => {
    if (!failing) return byName(...name);
    failing = false;
    return Promise.reject(new Error("the database is locked"));
  };
  await rig.engine.tick();
  expect(await sprints(rig)).toContain("IN_PROGRESS");
  expect(rig.operatorFiles.there.size).toBe(1);
  await rig.engine.tick();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  expect(rig.operatorFiles.there.size).toBe(0);
});

it("ABORT ends every goal and sprint, cancels their agents, and is removed; other agents continue", async () => {
  const rig = await twoSprints();
  await rig.engine.handle(labeled(rig, 5));
  rig.operatorFiles.there.add("ABORT").add("CHECKPOINT");
  await rig.engine.tick();
  expect(await sprints(rig)).toEqual(["ABORTED", "ABORTED"]);
  const [goal] = await rig.store.records.find("goal", { repositoryId: REPOSITORY.id });
  expect(goal?.state).toBe("ABORTED");
  expect([await stateOf(rig), await stateOf(rig, "feat-dev-issue-4")]).toEqual(["CANCELLED", "CANCELLED"]);
  expect(await stateOf(rig, "feat-dev-issue-5")).not.toBe("CANCELLED");
  expect(rig.operatorFiles.there.size).toBe(0);
});

it("keeps everything as it is while the directory cannot be looked at", async () => {
  const rig = await atWork();
  rig.operatorFiles.there.add("PAUSE");
  await rig.engine.tick();
  const present = rig.operatorFiles.present.bind(rig.operatorFiles);
  rig.operatorFiles.present = () => Promise.reject(new Error("input/output error"));
  await rig.engine.tick();
  expect((await rig.store.scopePauses.list()).map(({ holder }) => holder)).toEqual(["file"]);
  expect(rig.logged.map(({ message }) => message)).toContain("the operator's files could not be followed");
  rig.operatorFiles.present = present;
  rig.operatorFiles.there.clear();
  await rig.engine.tick();
  expect(await rig.store.scopePauses.list()).toEqual([]);
});
