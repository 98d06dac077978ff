import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { happened, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { decisionsOn, historyOf, stateOf, statusComments, taskOf } from "../look.ts";
import { labeled, said, tell, unlabeled } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";

const labelsOf = (rig: Rig, issue = 1) => rig.repository.issues.get(issue)?.labels ?? [];

async function aDraft(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1, { label: "draft" }), labeled(rig, 1));
  return rig;
}

/** A person takes the label off, and no webhook says so. */
function takenAway(rig: Rig): void {
  const issue = rig.repository.issues.get(1);
  if (issue !== undefined) issue.labels = issue.labels.filter((label) => label !== "draft");
  happened(rig.repository, 1, "unlabeled", { by: person("alice"), at: rig.clock.now(), label: "draft" });
}

it("an agent asked for on a draft waits in CREATED, says so, and nobody has the task", async () => {
  const rig = await aDraft();
  expect(await stateOf(rig)).toBe("CREATED");
  expect(await taskOf(rig)).toMatchObject({ state: "DRAFT", assigneeId: null, worktree: null });
  expect(await decisionsOn(rig)).toContain("task");
  expect(statusComments(rig)[0]).toContain("its task is DRAFT");
  expect(labelsOf(rig)).toContain("flotilla:draft");
});

it("without the label it begins at once, and with the command too", async () => {
  const rig = await aDraft();
  await tell(rig, unlabeled(rig, 1, "draft"));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  const other = await aDraft();
  await tell(other, said(other, 1, "/flotilla start"));
  expect(await historyOf(other)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  expect(labelsOf(other)).not.toContain("draft");
});

it("somebody who may not begins nothing by taking the label away", async () => {
  const rig = await aDraft();
  await tell(rig, unlabeled(rig, 1, "draft", { by: "eve" }));
  expect(await stateOf(rig)).toBe("CREATED");
  expect((await taskOf(rig))?.state).toBe("DRAFT");
});

it("a label taken away of which no webhook told is found within the coder's poll interval", async () => {
  const rig = await aDraft();
  const { reconcileEveryMs, retries } = rig.context.settings;
  // Where a look at everybody is not due, only that at the drafts can find it.
  await rig.pass(reconcileEveryMs);
  const looks = async () => (await rig.store.effects.find({ kind: "look_at_issue" })).length;
  const before = await looks();
  takenAway(rig);
  await rig.pass(retries.coderPollMs - 1000);
  expect(await takeIn(rig)).toEqual([]);
  await rig.pass(1000);
  expect(await takeIn(rig)).toEqual(["issues.unlabeled"]);
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  // One at the draft, and one for approvals of the work that is up for review now.
  expect(await looks()).toBe(before + 2);
  await rig.pass(retries.coderPollMs);
  expect(await looks()).toBe(before + 2);
});

it("the issue shows the newest state's label, and that a person has to review", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(labelsOf(rig).toSorted()).toEqual(["feature", "flotilla:ready-for-review", "needs-human"]);
});

it("a life that is over soon shows its last state alone, in one request", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const rows = await rig.store.effects.find({ kind: "task_label" });
  expect(rig.github.writes.filter((write) => /label/i.test(write))).toEqual(["addLabels 1"]);
  expect(rows.map(({ result }) => result)).toEqual([
    { add: ["flotilla:ready-for-review", "needs-human"], remove: [] },
  ]);
});

it("work that takes longer is shown as claimed after some minutes, and not sooner by a look at the issue", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const looked = async () => (await rig.store.effects.find({ kind: "look_at_issue", state: "done" })).length;
  const before = await looked();
  await rig.pass(5 * MINUTE);
  await rig.pass(4 * MINUTE);
  expect(await looked()).toBeGreaterThan(before);
  expect(labelsOf(rig)).toEqual(["feature"]);
  await rig.pass(2 * MINUTE);
  expect(labelsOf(rig)).toEqual(["feature", "flotilla:claimed"]);
});

it("a person's change of it is undone, and answered once", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const put = () => labeled(rig, 1, { label: "flotilla:merged" });
  await tell(rig, put(), put(), unlabeled(rig, 1, "flotilla:ready-for-review"));
  expect(labelsOf(rig).toSorted()).toEqual(["feature", "flotilla:ready-for-review", "needs-human"]);
  const answers = (rig.repository.comments.get(1) ?? []).filter(({ body }) => body.includes("only show"));
  expect(answers.map(({ body }) => body.split("\n")[0])).toEqual([
    expect.stringContaining("put the label `flotilla:merged`"),
    expect.stringContaining("removed the label `flotilla:ready-for-review`"),
  ]);
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("a label that differs without any webhook is put right at the next look", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  Object.assign(rig.repository.issues.get(1) ?? {}, { labels: ["feature", "flotilla:abandoned"] });
  await rig.pass(5 * MINUTE);
  expect(labelsOf(rig).toSorted()).toEqual(["feature", "flotilla:ready-for-review", "needs-human"]);
});

it("one that GitHub did not take is written later, when nobody works there any more", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const key = "task-1:lost:label";
  const lane = `issue:${REPOSITORY.id}#1`;
  const row = { key, lane, repositoryId: REPOSITORY.id, issue: 1, agentId: null, token: null, createdAt: 0 };
  const task = await taskOf(rig);
  if (task === undefined) throw new Error("there is no task");
  await rig.store.records.save("task", task, { ...task, state: "MERGED", worktree: null, leaseUntil: null });
  await rig.store.effects.add([{ ...row, payload: { kind: "task_label" } }]);
  const refused = new GitHubError("forbidden", "no permission", 403, { consequence: "stop" });
  rig.github.failNext("issue", refused, "before");
  await rig.idle();
  expect(labelsOf(rig)).not.toContain("flotilla:merged");
  await rig.pass(5 * MINUTE);
  expect(labelsOf(rig)).toContain("flotilla:merged");
});
