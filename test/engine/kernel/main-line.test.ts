import { expect, it } from "vitest";
import {
  agentOf,
  commentsOn,
  decisionsOn,
  historyOf,
  runOf,
  sessionsOf,
  statusComments,
  taskOf,
  toldTo,
} from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { commit, complete, edit, on, openPr, work } from "../scripts.ts";

it("takes a labelled issue to a pull request and COMPLETED", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  expect((await runOf(rig))?.state).toBe("succeeded");
  expect((await sessionsOf(rig)).map(({ state }) => state)).toEqual(["stopped"]);
  const [pull] = rig.repository.pulls.values();
  expect(pull).toMatchObject({ headRef: "flotilla/feat-dev/issue-1", baseRef: "main", draft: false });
  expect(pull?.body).toContain("#1");
  expect(toldTo(rig)[0]).toContain("Feature 1");
  expect(toldTo(rig)[0]).toContain("Do 1.");
});

it("keeps one status comment and edits it to the end", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(statusComments(rig)).toHaveLength(1);
  expect(statusComments(rig)[0]).toContain("**COMPLETED**");
  expect(statusComments(rig)[0]).toContain("**feat-dev** says:\n\n> Built and tested.");
  expect(commentsOn(rig)).toEqual([]);
});

it("puts the task up for review with the commit that was claimed", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, edit("more.ts"), commit, complete)] });
  await tell(rig, labeled(rig, 1));
  const head = rig.worktrees.serverHead("flotilla/feat-dev/issue-1");
  expect(head).not.toBeNull();
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", reviewCommit: head });
});

it("frees slot, process, conversation and worktree at the end", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await rig.store.records.slotsInUse()).toBe(0);
  expect(rig.runtime.running.size).toBe(0);
  expect((await agentOf(rig)).worktreePath).toBeNull();
  expect(rig.worktrees.read("feat-dev-issue-1", "feature.ts")).toBeNull();
});

it("records no refusal on the way of a work without trouble", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await decisionsOn(rig)).toEqual([]);
  expect(rig.logged).toEqual([]);
});

it("counts turns and tool calls in the database", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ turns: 4, toolCalls: 4, tokens: 440 });
});

it("starts one agent for a label that is typed twice", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await Promise.all([rig.engine.handle(labeled(rig, 1)), rig.engine.handle(labeled(rig, 1))]);
  await rig.idle();
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(1);
  expect(await rig.store.records.find("task", { issue: 1 })).toHaveLength(1);
});
