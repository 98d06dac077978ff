import { expect, it, onTestFinished } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { BOT, happened, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { agentOf, decisionsOn, stateOf, taskOf } from "../look.ts";
import { assigned, closed, gone, labeled, locked, pullClosed, reviewed, tell, unlabeled } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, commit, edit, escalate, on, openPr, work } from "../scripts.ts";

const LOOK = 5 * MINUTE;

/** Issue 1's agent sleeps for issue 2. */
async function asleep(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("SLEEPING");
  return rig;
}

/** One round of looks, and what it put into the inbox. */
async function round(rig: Rig): Promise<readonly string[]> {
  await rig.pass(LOOK);
  return takeIn(rig);
}

/** A second round tells nothing, and neither state nor decisions of the issue change. */
async function settled(rig: Rig): Promise<void> {
  const before = [await stateOf(rig), await rig.store.decisions.ofIssue(7, 1, 100)];
  expect(await round(rig)).toEqual([]);
  expect([await stateOf(rig), await rig.store.decisions.ofIssue(7, 1, 100)]).toEqual(before);
}

it("finds that the issue was closed, once, and a webhook that comes late changes nothing", async () => {
  const rig = await asleep();
  const late = closed(rig, 1, { by: "bob" });
  expect(await round(rig)).toEqual(["issues.closed"]);
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", reason: "the issue was closed" });
  expect((await taskOf(rig))?.state).toBe("ABANDONED");
  await settled(rig);
  await tell(rig, late);
  expect(await stateOf(rig)).toBe("CANCELLED");
});

it("finds that a person was assigned, and nothing in a bot that was", async () => {
  const rig = await asleep();
  const issue = rig.repository.issues.get(1);
  Object.assign(issue ?? {}, { assignees: [BOT] });
  happened(rig.repository, 1, "assigned", { at: rig.clock.now(), assignee: BOT });
  expect(await round(rig)).toEqual([]);
  assigned(rig, 1, "bob");
  expect(await round(rig)).toEqual(["issues.assigned"]);
  expect(await agentOf(rig)).toMatchObject({
    state: "CANCELLED",
    reason: "the issue was assigned to @bob",
  });
  await settled(rig);
});

it("finds that the issue was locked and that it was unlocked", async () => {
  const rig = await asleep();
  locked(rig, 1, true, { by: "bob" });
  expect(await round(rig)).toEqual(["issues.locked"]);
  expect(await agentOf(rig)).toMatchObject({ heldBy: ["lock"], reason: "@bob locked the issue" });
  await settled(rig);
  locked(rig, 1, false);
  expect(await round(rig)).toEqual(["issues.unlocked"]);
  expect((await agentOf(rig)).heldBy).toEqual([]);
  await settled(rig);
});

it.each(["deleted", "moved"])("finds that the issue was %s", async (how) => {
  const rig = await asleep();
  const was = rig.repository.issues.get(1);
  gone(rig, 1);
  if (was !== undefined && how === "moved")
    rig.repository.issues.set(1, { ...was, number: 9, url: "https://github.test/acme/other/issues/9" });
  expect(await round(rig)).toEqual([how === "moved" ? "issues.transferred" : "issues.deleted"]);
  const reason = how === "moved" ? "the issue was transferred to acme/other#9" : "the issue was deleted";
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED", reason });
  await settled(rig);
});

it("asks nobody what happened to an issue that is as its agents know it", async () => {
  const rig = await asleep();
  const calls: string[] = [];
  rig.onCall = (call) => void calls.push(call);
  expect(await round(rig)).toEqual([]);
  expect(calls).toContain("github.issue");
  expect(calls).not.toContain("github.events");
});

it.each([
  [
    "whose issues are switched off",
    new GitHubError("not_found", "Issues are disabled for this repo", 410, { consequence: "stop" }),
    "issue",
  ],
  [
    "that cannot be seen any more",
    new GitHubError("not_found", "Not Found", 404, { consequence: "stop" }),
    "repository",
  ],
] as const)("takes nothing for gone in a repository %s", async (_, error, method) => {
  const rig = await asleep();
  if (method === "repository") rig.repository.issues.delete(1);
  rig.github.failNext(method, error, "before");
  expect(await round(rig)).toEqual([]);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("takes an issue of a renamed repository for the same", async () => {
  const rig = await asleep();
  Object.assign(rig.repository.issues.get(1) ?? {}, { url: "https://github.test/acme/store/issues/1" });
  const { ref } = rig.repository;
  onTestFinished(() => void Object.assign(ref, { name: "shop" }));
  Object.assign(ref, { name: "store" });
  expect(await round(rig)).toEqual([]);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("finds that a person took off the label of an agent that asked for one, and nothing in one who may not", async () => {
  const rig = await aRig({ script: [on(1, escalate, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("ESCALATED");
  await settled(rig);
  unlabeled(rig, 1, "needs-human", { by: "eve" });
  expect(await round(rig)).toEqual(["issues.unlabeled"]);
  expect(await decisionsOn(rig)).toContain("not_permitted");
  await settled(rig);
  unlabeled(rig, 1, "needs-human", { by: "bob" });
  await rig.pass(LOOK);
  expect(await takeIn(rig)).toEqual(["issues.unlabeled"]);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it.each([true, false])("finds that the pull request was closed, merged %s", async (merged) => {
  const rig = await asleep();
  const late = pullClosed(rig, 4, { merged });
  expect(await round(rig)).toEqual(["pull_request.closed"]);
  expect(await stateOf(rig)).toBe(merged ? "COMPLETED" : "CANCELLED");
  expect((await taskOf(rig))?.state).toBe(merged ? "MERGED" : "UNCLAIMED");
  await settled(rig);
  await tell(rig, late);
  expect((await taskOf(rig))?.state).toBe(merged ? "MERGED" : "UNCLAIMED");
});

it("finds a merge when the agent has long ended, and its task waits for the review", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  pullClosed(rig, 4, { merged: true });
  expect(await round(rig)).toEqual(["pull_request.closed"]);
  expect(await taskOf(rig)).toMatchObject({ state: "MERGED", mergeCommit: "c".repeat(40) });
  await settled(rig);
});

it("finds that the pull request was made a draft, and says so once", async () => {
  const rig = await asleep();
  Object.assign(rig.repository.pulls.get(4) ?? {}, { draft: true });
  happened(rig.repository, 4, "convert_to_draft", { at: rig.clock.now(), by: person("bob") });
  expect(await round(rig)).toEqual(["pull_request.converted_to_draft"]);
  expect((await decisionsOn(rig)).filter((rule) => rule === "pull_draft")).toHaveLength(1);
  await settled(rig);
});

it("finds that changes were asked for of work whose agent has ended, and begins again with them once", async () => {
  const rig = await aRig({ script: [on(1, ...work), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  rig.clock.advance(MINUTE);
  reviewed(rig, 4, "approved", { by: "bob" });
  reviewed(rig, 4, "changes_requested", { by: "eve" });
  reviewed(rig, 4, "changes_requested", { by: "bob" });
  expect(await round(rig)).toHaveLength(2);
  expect(await rig.store.records.find("agent", {})).toHaveLength(2);
  expect(await round(rig)).toEqual([]);
});

it("tells nothing that was met by its webhook", async () => {
  const rig = await asleep();
  await tell(rig, locked(rig, 1, true));
  expect(await round(rig)).toEqual([]);
  await tell(rig, locked(rig, 1, false));
  expect(await round(rig)).toEqual([]);
});

it("tells once what a look found, when the process dies before the look is recorded", async () => {
  const rig = await asleep();
  closed(rig, 1, { by: "bob" });
  rig.onCrashPoint = (name) => {
    if (name === "effect:look_at_issue") rig.life.end();
  };
  rig.clock.advance(LOOK);
  await rig.engine.tick();
  await rig.until("it died", () => rig.life.over);
  rig.onCrashPoint = () => {};
  await rig.restart();
  expect(await round(rig)).toEqual(["issues.closed"]);
  expect(await round(rig)).toEqual([]);
  expect(await stateOf(rig)).toBe("CANCELLED");
});

it("finds that the issue has another milestone, or none, and that a milestone was changed", async () => {
  const rig = await asleep();
  const sprints = () => rig.store.records.find("sprint", { repositoryId: 7 });
  milestoned(rig, 1, { number: 2, title: "First", dueOn: null });
  expect(await round(rig)).toEqual(["issues.milestoned"]);
  expect(await sprints()).toMatchObject([{ state: "IN_PROGRESS", title: "First" }]);
  milestoned(rig, 1, { number: 2, title: "One", dueOn: "2031-05-06T07:00:00Z" });
  expect(await round(rig)).toEqual(["issues.milestoned"]);
  expect(await sprints()).toMatchObject([{ title: "One", dueAt: Date.parse("2031-05-07T12:00:00Z") }]);
  await settled(rig);
  milestoned(rig, 1, null);
  expect(await round(rig)).toEqual(["issues.demilestoned"]);
  expect(await taskOf(rig)).toMatchObject({ sprintId: null });
  await settled(rig);
});
