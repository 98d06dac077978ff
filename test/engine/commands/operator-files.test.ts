import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, runOf, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig } from "../rig.ts";
import { edit, on, slowly } from "../scripts.ts";
import { atWork, decided, look, repositoryId, slow, sprints, twoSprints } from "./sprints-at-work.ts";

it("PAUSE puts agents to sleep, ends their processes, and lets none start or wake while it is there", async () => {
  const rig = await atWork();
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
  await tell(rig, labeled(rig, 2));
  await rig.work(20 * MINUTE);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
  expect(statusComments(rig).at(-1)).toContain("all agents are held by the file PAUSE in the data directory");
  expect(statusComments(rig).at(-1)).toContain("remove the file PAUSE from the data directory");
});

it("the agents that PAUSE paused continue when it is removed, and no others", async () => {
  const rig = await aRig({ script: [slow, on(2, edit(), slowly(30 * MINUTE, edit()))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("they work", () => rig.runtime.running.size === 2);
  await rig.engine.handle(said(rig, 2, "/flotilla pause"));
  await rig.until("one is paused", async () => (await stateOf(rig, "feat-dev-issue-2")) === "SLEEPING");
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.operatorFiles.remove("PAUSE");
  await rig.engine.tick();
  await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
  expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ state: "SLEEPING", heldBy: ["person"] });
});

it("a pause by a person outlives the file, and the file a person's resume", async () => {
  const rig = await aRig({ script: [slow] });
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:ada", reason: null });
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  const holders = async () => (await rig.store.scopePauses.list()).map(({ holder }) => holder);
  expect(await holders()).toEqual(["person", "file"]);
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  expect(await holders()).toEqual(["file"]);
  await rig.engine.operations.pauseScope({ scope: "all", by: "operator:ada", reason: null });
  rig.operatorFiles.remove("PAUSE");
  await rig.engine.tick();
  expect(await holders()).toEqual(["person"]);
});

it("a file that was there at the start holds what would start, and one removed while Flotilla was stopped holds nothing", async () => {
  const rig = await aRig({ script: [slow] });
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  await tell(rig, labeled(rig, 1));
  await rig.restart();
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("CREATED");
  rig.operatorFiles.remove("PAUSE");
  await rig.restart();
  await rig.engine.tick();
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
});

it("CHECKPOINT stops each running sprint, says so, and its removal lets them continue", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  await rig.idle();
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  expect((await rig.operatorFiles.present()).size).toBe(1);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
  const [sprint] = await rig.store.records.find("sprint", { repositoryId });
  expect(sprint?.reason).toContain("continues when the operator removes that file");
  expect(commentsOn(rig, 3).at(-1)).toContain("the operator created the file CHECKPOINT");
  rig.operatorFiles.remove("CHECKPOINT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
  await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
  expect(await decided(rig, 3)).toEqual([
    expect.stringContaining('the sprint "First release": the operator created the file CHECKPOINT'),
    'the sprint "First release": the operator removed the file CHECKPOINT from the data directory',
  ]);
  expect(await decided(rig, 4)).toHaveLength(2);
  const moves = await rig.store.transitions.ofSprint({ repositoryId, id: sprint?.id ?? 0 });
  expect(moves.map(({ event, actor }) => `${event} ${actor}`)).toEqual([
    "CHECKPOINT operator:file",
    "CONTINUE operator:file",
  ]);
});

it("a sprint that a person continues is not stopped again by the same file, also after a restart; others are", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  await rig.engine.handle(said(rig, 3, "/flotilla continue"));
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "IN_PROGRESS"]);
  await rig.restart();
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "IN_PROGRESS"]);
  milestoned(rig, 5, { number: 4, title: "Third release", dueOn: null });
  await rig.engine.handle(labeled(rig, 5));
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "IN_PROGRESS", "CHECKPOINT"]);
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT", "CHECKPOINT"]);
});

it("a CHECKPOINT that is removed while Flotilla is stopped lets the sprints continue at the next start", async () => {
  const rig = await twoSprints();
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  await rig.restart();
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  rig.operatorFiles.remove("CHECKPOINT");
  await rig.restart();
  await look(rig);
  expect(await sprints(rig)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
  await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
});

it("CHECKPOINT acts again, and its removal, too, each time that it is created", async () => {
  const rig = await twoSprints();
  await look(rig);
  for (const _ of [1, 2]) {
    rig.operatorFiles.create("CHECKPOINT");
    await look(rig);
    expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
    rig.operatorFiles.remove("CHECKPOINT");
    await look(rig);
    expect(await sprints(rig)).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
  }
});

it("the removal of CHECKPOINT continues no sprint that a person stopped, before the file or after it", async () => {
  const rig = await twoSprints();
  await rig.engine.handle(said(rig, 4, "/flotilla checkpoint"));
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  await rig.engine.handle(said(rig, 3, "/flotilla continue"));
  await rig.engine.handle(said(rig, 3, "/flotilla checkpoint"));
  rig.operatorFiles.remove("CHECKPOINT");
  await rig.restart();
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  await rig.engine.handle(said(rig, 4, "/flotilla continue"));
  await look(rig);
  expect(await sprints(rig)).toEqual(["IN_PROGRESS", "CHECKPOINT"]);
});

it("ABORT ends every goal and sprint and holds all agents; those outside of goals and sprints continue at its removal", async () => {
  const rig = await twoSprints();
  const apart = () => stateOf(rig, "feat-dev-issue-5");
  await rig.engine.handle(labeled(rig, 5));
  await rig.until("it works apart", async () => (await apart()) === "ACTIVE");
  rig.operatorFiles.create("CHECKPOINT");
  rig.operatorFiles.create("ABORT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["ABORTED", "ABORTED"]);
  const goals = async () =>
    (await rig.store.records.find("goal", { repositoryId })).map(({ state }) => state);
  expect(await goals()).toEqual(["ABORTED"]);
  expect([await stateOf(rig), await stateOf(rig, "feat-dev-issue-4")]).toEqual(["CANCELLED", "CANCELLED"]);
  expect(await agentOf(rig, "feat-dev-issue-5")).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
  expect(await decided(rig, 3)).toEqual(["the operator created the file ABORT in the data directory"]);
  expect(await decided(rig, 4)).toHaveLength(1);

  // It lies there over a restart: goals and agents that begin meanwhile are concerned, too.
  await rig.restart();
  await tell(rig, labeled(rig, 6, { label: "goal" }), labeled(rig, 7));
  await look(rig);
  await rig.idle();
  expect(await goals()).toEqual(["ABORTED", "ABORTED"]);
  expect([await apart(), await stateOf(rig, "feat-dev-issue-7")]).toEqual(["SLEEPING", "CREATED"]);
  expect(statusComments(rig, 5).at(-1)).toContain(
    "all agents are held by the file ABORT in the data directory",
  );
  expect(statusComments(rig, 5).at(-1)).toContain("remove the file ABORT from the data directory");

  rig.operatorFiles.remove("ABORT");
  await look(rig);
  await rig.until("it works apart", async () => (await apart()) === "ACTIVE");
  expect(await sprints(rig)).toEqual(["ABORTED", "ABORTED"]);
});

it("CHECKPOINT and ABORT concern a sprint, too, that has no task any more", async () => {
  const rig = await twoSprints();
  await rig.engine.handle(milestoned(rig, 4, null));
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  rig.operatorFiles.create("ABORT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["ABORTED", "ABORTED"]);
});

it("ABORT without a goal or a sprint holds all agents; removed while Flotilla is stopped, it holds none", async () => {
  const rig = await atWork();
  rig.operatorFiles.create("ABORT");
  await look(rig);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
  rig.operatorFiles.remove("ABORT");
  await rig.restart();
  await look(rig);
  await rig.until("it works", async () => (await stateOf(rig)) === "ACTIVE");
});

it("names each file that holds the agents, and holds them until the last is removed", async () => {
  const rig = await atWork();
  const reasons = async () => (await rig.store.scopePauses.list()).map(({ reason }) => reason);
  rig.operatorFiles.create("PAUSE");
  await look(rig);
  expect(await reasons()).toEqual(["the file PAUSE"]);
  rig.operatorFiles.create("ABORT");
  await look(rig);
  expect(await reasons()).toEqual(["the files PAUSE and ABORT"]);
  rig.operatorFiles.remove("PAUSE");
  await look(rig);
  await rig.idle();
  expect(await reasons()).toEqual(["the file ABORT"]);
  expect(statusComments(rig).at(-1)).toContain("all agents are held by the file ABORT in the data directory");
  expect(await stateOf(rig)).toBe("SLEEPING");
  rig.operatorFiles.remove("ABORT");
  await look(rig);
  expect(await reasons()).toEqual([]);
});

it("says on the issue of an agent that rests already that the file holds it, and takes that back", async () => {
  const rig = await aRig({ script: [slow] });
  await rig.engine.handle(labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla pause"));
  const shown = async () => {
    await look(rig);
    await rig.idle();
    return statusComments(rig).at(-1);
  };
  expect(await shown()).not.toContain("the file PAUSE");
  rig.operatorFiles.create("PAUSE");
  expect(await shown()).toContain("all agents are held by the file PAUSE in the data directory");
  rig.operatorFiles.remove("PAUSE");
  expect(await shown()).not.toContain("the file PAUSE");
});

it("stops agents at the first look where the process ended between the hold and their stop", async () => {
  const rig = await atWork();
  const hold = { scope: "all", holder: "file", by: "operator:file", reason: "the file PAUSE" } as const;
  await rig.store.scopePauses.add({ ...hold, since: rig.clock.now() });
  rig.operatorFiles.create("PAUSE");
  await look(rig);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  expect(rig.runtime.running.size).toBe(0);
});

it("holds the agents at every moment while one file takes the place of the other", async () => {
  const rig = await atWork();
  rig.operatorFiles.create("PAUSE");
  await look(rig);
  const held: (string | null)[][] = [];
  const transaction = rig.store.transaction.bind(rig.store);
  rig.store.transaction = async (act) => {
    const done = await transaction(act);
    held.push((await rig.store.scopePauses.list()).map(({ reason }) => reason));
    return done;
  };
  rig.operatorFiles.remove("PAUSE");
  rig.operatorFiles.create("ABORT");
  await look(rig);
  // A status comment reads in a transaction as well, perhaps before the exchange.
  const exchanged = held.findIndex(([file]) => file === "the file ABORT");
  expect(exchanged).toBeGreaterThanOrEqual(0);
  for (const [index, files] of held.entries())
    expect(files).toEqual([index < exchanged ? "the file PAUSE" : "the file ABORT"]);
});
