import { expect, it } from "vitest";
import type { Milestone } from "../../../src/domain/planning/milestone.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, runOf, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { milestoned, partChanged } from "../plans.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

const slow = on(1, edit(), slowly(30 * MINUTE, edit()), ...work);

const FIRST: Milestone = { number: 2, title: "First release", dueOn: null };
const SECOND: Milestone = { number: 3, title: "Second release", dueOn: null };

/** The states of the sprints: of that without a goal, and of the goal's. */
const sprints = async (rig: Rig) =>
  (await rig.store.records.find("sprint", { repositoryId })).map(({ state }) => state);

const repositoryId = REPOSITORY.id;
const decided = async (rig: Rig, issue: number) =>
  (await rig.store.decisions.ofIssue(repositoryId, issue, 100))
    .filter(({ rule }) => rule === "operator_file")
    .map(({ reason }) => reason)
    .toReversed();

/** Lets a second pass, as between two looks. */
async function look(rig: Rig): Promise<void> {
  rig.clock.advance(1000);
  await rig.engine.tick();
}

async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [slow] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "executing");
  return rig;
}

/** Two sprints: one without a goal, and one of the goal of issue 3 with an agent at work on issue 1. */
async function twoSprints(options: RigOptions = {}): Promise<Rig> {
  const apart = on(5, edit(), slowly(30 * MINUTE, edit()), ...work);
  const rig = await aRig({ script: [slow, on(4, blocked(9)), apart], issues: 9, ...options });
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
  await rig.engine.operations.resumeScope("all");
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

it("logs each act of a file, and records the hold once", async () => {
  const logged: string[] = [];
  const info = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const rig = await twoSprints({ wrapped: (given) => ({ ...given, log: { ...given.log, info } }) });
  const held: string[] = [];
  const transaction = rig.store.transaction.bind(rig.store);
  rig.store.transaction = (act) =>
    transaction((tables) => {
      const add: typeof tables.decisions.add = (row) => {
        if (row.issue === null) held.push(row.reason);
        return tables.decisions.add(row);
      };
      return act({ ...tables, decisions: { ...tables.decisions, add } });
    });
  rig.operatorFiles.create("ABORT");
  await look(rig);
  await rig.restart();
  await look(rig);
  rig.operatorFiles.remove("ABORT");
  await look(rig);
  expect(held).toEqual(["the file ABORT holds all agents", "no file holds the agents any more"]);
  const followed = "a goal or a sprint has followed the operator's file";
  expect(logged.filter((line) => line.includes("file"))).toEqual([
    expect.stringContaining('the files that hold all agents have changed {"files":"the file ABORT"}'),
    expect.stringContaining(`${followed} {"machine":"goal"`),
    expect.stringContaining(`${followed} {"machine":"sprint"`),
    expect.stringContaining('the files that hold all agents have changed {"files":null}'),
  ]);
});

it("logs the reason of a refusal once, and tries again at each look", async () => {
  const warned: string[] = [];
  const warn = (fields: object, message: string) => {
    if (message.includes("file")) warned.push(`${message} ${JSON.stringify(fields)}`);
  };
  const rig = await twoSprints({ wrapped: (given) => ({ ...given, log: { ...given.log, warn } }) });
  const { transitions } = rig.store;
  const ofSprint = transitions.ofSprint.bind(transitions);
  // A person stops the sprint between the file's look at it and its move.
  let isRival = true;
  transitions.ofSprint = async (sprint) => {
    const moves = await ofSprint(sprint);
    if (isRival) await rig.engine.handle(said(rig, 3, "/flotilla checkpoint"));
    isRival = false;
    return moves;
  };
  rig.operatorFiles.create("CHECKPOINT");
  await look(rig);
  expect(await sprints(rig)).toEqual(["CHECKPOINT", "CHECKPOINT"]);
  expect(warned).toEqual([expect.stringMatching(/has not followed the operator's file yet .*"error":"/)]);
  expect(await decided(rig, 3)).toEqual([]);

  // The database fails at each of three looks.
  rig.operatorFiles.remove("CHECKPOINT");
  const transaction = rig.store.transaction.bind(rig.store);
  rig.store.transaction = () => Promise.reject(new Error("the database is locked"));
  for (const _ of [1, 2, 3]) await look(rig).catch(() => {});
  expect(warned.slice(1)).toEqual([expect.stringContaining('"error":"the database is locked"')]);
  rig.store.transaction = transaction;
  await look(rig);
  expect(await sprints(rig)).toEqual(["IN_PROGRESS", "CHECKPOINT"]);
});

it("keeps everything as it is while the directory cannot be looked at", async () => {
  const rig = await atWork();
  rig.operatorFiles.create("PAUSE");
  await rig.engine.tick();
  const present = rig.operatorFiles.present.bind(rig.operatorFiles);
  rig.operatorFiles.present = () => Promise.reject(new Error("input/output error"));
  await rig.engine.tick();
  expect((await rig.store.scopePauses.list()).map(({ holder }) => holder)).toEqual(["file"]);
  expect(rig.logged.map(({ message }) => message)).toContain("the operator's files could not be followed");
  rig.operatorFiles.present = present;
  rig.operatorFiles.remove("PAUSE");
  await rig.engine.tick();
  expect(await rig.store.scopePauses.list()).toEqual([]);
});
