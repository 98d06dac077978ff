import { expect, it } from "vitest";
import { CLAIM } from "../../factories/leases.ts";
import { MINUTE } from "../../factories/moment.ts";
import {
  agentOf,
  commentsOn,
  decisionsOn,
  historyOf,
  runOf,
  stateOf,
  statusComments,
  taskOf,
  toldTo,
} from "../look.ts";
import {
  assigned,
  closed,
  labeled,
  pullClosed,
  reopened,
  reviewed,
  said,
  tell,
  unlabeled,
} from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, commit, edit, escalate, on, onAttempt, openPr, slowly, work } from "../scripts.ts";

const talks = [slowly(MINUTE, edit()), ...work.slice(1)];

/** An agent on issue 1 that is in the middle of an exchange. */
async function atWork(...more: ReturnType<typeof on>[]): Promise<Rig> {
  const rig = await aRig({ script: [...more, on(1, ...talks)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

it("ends the work when the issue is assigned to a person, and names the person", async () => {
  const rig = await atWork();
  await tell(rig, assigned(rig, 1, "bob"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await runOf(rig))?.state).toBe("cancelled");
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
  expect(commentsOn(rig).join()).toContain("assigned to @bob");
  expect(rig.runtime.running.size).toBe(0);
});

it("ends the work when the issue is closed, whatever the agent does at the moment", async () => {
  const rig = await atWork();
  await tell(rig, closed(rig, 1));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await taskOf(rig))?.state).toBe("ABANDONED");
});

it("ends the work when the label that began it is removed", async () => {
  const rig = await atWork();
  await tell(rig, unlabeled(rig, 1, "feature"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(commentsOn(rig).join()).toContain("the label `feature` was removed");
});

it.each([
  ["issue first", ["issue", "pull"]],
  ["pull request first", ["pull", "issue"]],
])("counts work as done when its pull request is merged, %s", async (_, order) => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, escalate)], issues: 3 });
  await tell(rig, labeled(rig, 1));
  const [number = 0] = rig.repository.pulls.keys();
  for (const what of order)
    await tell(
      rig,
      what === "issue" ? closed(rig, 1, { merged: number }) : pullClosed(rig, number, { merged: true }),
    );
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await taskOf(rig)).toMatchObject({ state: "MERGED", mergeCommit: "c".repeat(40) });
  expect((await runOf(rig))?.state).toBe("succeeded");
});

it("marks the task of finished work as merged", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [number = 0] = rig.repository.pulls.keys();
  await tell(rig, pullClosed(rig, number, { merged: true }));
  expect((await taskOf(rig))?.state).toBe("MERGED");
});

it("gives the issue back when its pull request is closed without a merge", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const [number = 0] = rig.repository.pulls.keys();
  await tell(rig, pullClosed(rig, number, { merged: false }));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
});

it("reopens finished work on the same branch when changes are requested", async () => {
  const again = onAttempt(1, 2, edit("test.ts"), commit, ...work.slice(3));
  const rig = await aRig({ script: [again, on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [number = 0] = rig.repository.pulls.keys();
  await tell(rig, reviewed(rig, number, "changes_requested"));
  const second = await agentOf(rig, "feat-dev-issue-1.2");
  expect(second).toMatchObject({ state: "COMPLETED", branch: "flotilla/feat-dev/issue-1", prNumber: number });
  expect(toldTo(rig)[0]).toContain("Please add a test.");
  expect(rig.repository.pulls.size).toBe(1);
  const task = await taskOf(rig);
  expect(task).toMatchObject({ state: "READY_FOR_REVIEW", reviewCyclesTotal: 1, assigneeId: second.id });
  const moves = await rig.store.transitions.ofIssue(7, 1, 100);
  const ofTask = moves.filter(({ machine }) => machine === "task").map(({ to }) => to);
  expect(ofTask).toEqual([
    "UNCLAIMED",
    "CLAIMED",
    "READY_FOR_REVIEW",
    "REJECTED",
    "CLAIMED",
    "READY_FOR_REVIEW",
  ]);
});

it("begins again on a branch of its own when a finished issue is reopened", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const [number = 0] = rig.repository.pulls.keys();
  await tell(rig, pullClosed(rig, number, { merged: true }), closed(rig, 1, { merged: number }));
  await tell(rig, reopened(rig, 1));
  expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({
    state: "COMPLETED",
    branch: "flotilla/feat-dev/issue-1-2",
  });
  expect(rig.repository.pulls.size).toBe(2);
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("pauses an agent at work and lets it continue in the same conversation", async () => {
  const rig = await atWork();
  await tell(rig, said(rig, 1, "/flotilla pause"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] });
  expect((await runOf(rig))?.state).toBe("paused");
  await rig.engine.handle(said(rig, 1, "/flotilla resume"));
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
});

it("keeps the wake of a paused sleeper until a person resumes it", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked" });
  expect(await decisionsOn(rig)).toContain("held");
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("starts nothing where a person's pull request is open, and says so", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1, { personPull: 9 }));
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(statusComments(rig)[0]).toContain("#9 is a person's open pull request");
});

it("starts beside pull requests of people without permission, and names them in one line of the status comment", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1, { strangersPulls: [9, 12] }));
  expect(await stateOf(rig)).toBe("SLEEPING");
  const lines = statusComments(rig)[0]?.split("\n") ?? [];
  expect(lines.filter((line) => line.includes("#9"))).toEqual([
    expect.stringMatching(/^Last decision, .*pull requests #9, #12 open for this issue.*`\/flotilla cancel`/),
  ]);
});

it("starts nothing in a public repository, and says so", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.repository.private = false;
  await tell(rig, labeled(rig, 1));
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(statusComments(rig)[0]).toContain("public");
});

it("wakes nobody in a repository that has become public", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  rig.repository.private = false;
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).toContain("held");
});

it("settles the delivery with what follows, and an ignored one with its reason", async () => {
  const rig = await aRig();
  const row = {
    event: "issues",
    action: "x",
    installationId: 5,
    repositoryId: 7,
    lane: "1",
    payload: "{}",
    receivedAt: 0,
  };
  await rig.store.deliveries.insert([
    { ...row, guid: "one" },
    { ...row, guid: "two", lane: "2" },
  ]);
  await rig.store.deliveries.claim({ ...CLAIM, now: rig.clock.now(), limit: 9 });
  await rig.engine.handle(labeled(rig, 1, { delivery: "one", label: "wontfix" }), CLAIM.token);
  await rig.engine.ignore("two", "not for us", CLAIM.token);
  await rig.idle();
  expect(await rig.store.deliveries.get("one")).toMatchObject({ state: "done" });
  expect(await rig.store.deliveries.get("two")).toMatchObject({ state: "ignored", note: "not for us" });
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 5);
  expect(decision).toMatchObject({ rule: "no_role", delivery: "one" });
});

it("starts nobody for a label typed again while the work is up for review", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 1));
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
  expect(statusComments(rig)[0]).toContain("READY_FOR_REVIEW");
});
