import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import type { GoalEvent } from "../../../src/domain/planning/goal.ts";
import type { SprintEvent } from "../../../src/domain/planning/sprint.ts";
import { MINUTE } from "../../factories/moment.ts";
import { addReview, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { statusComments, taskOf } from "../look.ts";
import { branchOf, checkOf, merging, rounds } from "../merge-queue-rig.ts";
import { methodOf } from "../method-of.ts";
import { moveBy } from "../move-by.ts";
import { labeled, locked, pushed, reviewed, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { commit, edit, on, openPr, review } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;
const isMerged = (rig: Rig) => rig.repository.pulls.get(pullOf(rig))?.merged;
const shown = (rig: Rig) => statusComments(rig).at(-1) ?? "";
const pause = (scope: "all" | `repository:${number}`) => async (rig: Rig) =>
  void (await rig.engine.operations.pauseScope({ scope, by: "alice", reason: "too dear" }));
const resume = (scope: "all" | `repository:${number}`) => async (rig: Rig) =>
  void (await rig.engine.operations.resumeScope({ scope, by: "alice" }));

/** Up for review; its coder sleeps until the merge. */
async function underReview(required: readonly string[] = []): Promise<Rig> {
  const settings = { ...merging(required), levels: { repositories: {}, labels: { careful: "pr" as const } } };
  const rig = await aRig({ settings, script: [on(1, edit(), commit, openPr, review)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

const approves = (rig: Rig) => tell(rig, reviewed(rig, pullOf(rig), "approved", { by: "bob" }));

async function sprintMove(rig: Rig, event: SprintEvent): Promise<void> {
  await moveBy(rig, { machine: "sprint", id: event.type === "OPEN" ? null : 1, event });
  await rig.idle();
}

async function atCheckpoint(rig: Rig): Promise<void> {
  const base = { at: rig.clock.now(), actor: "alice" };
  const place = { repositoryId: REPOSITORY.id, title: "First release" };
  const goal: GoalEvent = { ...base, ...place, type: "OPEN", issue: 9 };
  await moveBy(rig, { machine: "goal", id: null, event: goal });
  await sprintMove(rig, { ...base, ...place, type: "OPEN", goalId: 1, milestone: 2, dueAt: null });
  await rig.store.transaction(async ({ records }) => {
    for (const task of await records.find("task", { issue: 1 }))
      await records.save("task", task, { ...task, sprintId: 1 });
  });
  await sprintMove(rig, { ...base, type: "CHECKPOINT", cause: "person", why: "let me look" });
}

it.each<readonly [string, (rig: Rig) => Promise<void>, string, (rig: Rig) => Promise<void>]>([
  ["everything is paused", pause("all"), "everything is paused by alice: too dear", resume("all")],
  [
    "its repository is paused",
    pause("repository:7"),
    "this repository is paused by alice",
    resume("repository:7"),
  ],
  [
    "its coder is paused",
    (rig) => tell(rig, said(rig, 1, "/flotilla pause")),
    "paused by `@alice`",
    (rig) => tell(rig, said(rig, 1, "/flotilla resume")),
  ],
  [
    "its issue is locked",
    (rig) => tell(rig, locked(rig, 1, true)),
    "`@alice` locked the issue",
    (rig) => tell(rig, locked(rig, 1, false)),
  ],
  [
    "its sprint is at a checkpoint",
    atCheckpoint,
    'its sprint "First release" is at CHECKPOINT: let me look',
    (rig) => sprintMove(rig, { at: rig.clock.now(), actor: "alice", type: "CONTINUE" }),
  ],
])(
  "approved work is not merged while %s, its status comment says so, and it is merged at once when that ends",
  async (_, holds, why, lets) => {
    const rig = await underReview();
    await holds(rig);
    await approves(rig);
    expect(await stateOfTask(rig)).toBe("APPROVED");
    await rounds(rig);
    await rig.pass(20 * MINUTE);
    expect(isMerged(rig)).toBe(false);
    expect(shown(rig)).toContain(`not merged yet, ${why}`);
    await lets(rig);
    await rounds(rig, 2);
    expect(isMerged(rig)).toBe(true);
  },
);

it("a pause that begins after a look is noticed at once, and so is its end", async () => {
  const rig = await underReview(["build"]);
  await approves(rig);
  await rounds(rig);
  await pause("all")(rig);
  rig.repository.checks.set(rig.worktrees.serverHead(branchOf(1)) ?? "", [checkOf("build", "green")]);
  await rounds(rig, 2);
  expect(shown(rig)).toContain("everything is paused by alice: too dear");
  await resume("all")(rig);
  await rounds(rig, 2);
  expect(isMerged(rig)).toBe(true);
});

it("nothing is pushed to a branch while everything is paused", async () => {
  const rig = await underReview(["build"]);
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  const head = rig.worktrees.serverHead(branchOf(1));
  await pause("all")(rig);
  await approves(rig);
  await rounds(rig);
  expect(rig.worktrees.serverHead(branchOf(1))).toBe(head);
  await resume("all")(rig);
  await rounds(rig, 2);
  expect(rig.worktrees.serverHead(branchOf(1))).not.toBe(head);
});

it("an update of a branch that waits for its next try is not made once everything is paused", async () => {
  const rig = await underReview(["build"]);
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  const head = rig.worktrees.serverHead(branchOf(1));
  let tries = 0;
  const update = methodOf(rig.worktrees, "updateBranch");
  rig.worktrees.updateBranch = async (...args) => {
    tries += 1;
    if (tries === 1) throw new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
    return update(...args);
  };
  await approves(rig);
  await rounds(rig, 1);
  expect(tries).toBe(1);
  await pause("all")(rig);
  await rig.pass(10 * MINUTE);
  await rounds(rig);
  expect(tries).toBe(1);
  expect(rig.worktrees.serverHead(branchOf(1))).toBe(head);
});

it("a merge is not made once everything is paused while its token is fetched", async () => {
  const rig = await underReview();
  const ready = methodOf(rig.github, "readyToMerge");
  rig.github.readyToMerge = async (repository) => {
    await ready(repository);
    await pause("all")(rig);
  };
  await approves(rig);
  await rounds(rig);
  expect(isMerged(rig)).toBe(false);
  expect(shown(rig)).toContain("everything is paused by alice: too dear");
  rig.github.readyToMerge = ready;
  await resume("all")(rig);
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});

it("a branch is not updated once everything is paused while the base is read", async () => {
  const rig = await underReview(["build"]);
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  const head = rig.worktrees.serverHead(branchOf(1));
  const update = methodOf(rig.worktrees, "updateBranch");
  rig.worktrees.updateBranch = async (repository, how) => {
    await pause("all")(rig);
    return update(repository, how);
  };
  await approves(rig);
  await rounds(rig);
  expect(rig.worktrees.serverHead(branchOf(1))).toBe(head);
  expect(shown(rig)).toContain("everything is paused by alice: too dear");
});

const jams = (rig: Rig) => {
  const away = new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
  rig.github.failNext("mergePull", away, "before");
};

/** The first try of the merge meets an outage. */
async function jammed(): Promise<{ readonly rig: Rig; readonly tries: () => number }> {
  const rig = await underReview();
  jams(rig);
  let tries = 0;
  rig.onCall = (call) => {
    if (call === "github.mergePull") tries += 1;
  };
  await approves(rig);
  await rounds(rig, 1);
  expect(tries).toBe(1);
  return { rig, tries: () => tries };
}

const pullIn = (rig: Rig) => rig.repository.pulls.get(pullOf(rig)) ?? {};

it.each<readonly [string, (rig: Rig) => unknown, string]>([
  [
    "its base is another branch",
    (rig) => Object.assign(pullIn(rig), { baseRef: "release" }),
    "#4 goes to `release`",
  ],
  ["it is a draft", (rig) => Object.assign(pullIn(rig), { draft: true }), "#4 is a draft"],
  ["everything is paused", pause("all"), "everything is paused by alice"],
  ["its coder is paused", (rig) => tell(rig, said(rig, 1, "/flotilla pause")), "paused by `@alice`"],
  [
    "its level is lower",
    (rig) => Object.assign(rig.repository.issues.get(1) ?? {}, { labels: ["careful"] }),
    "a person with write permission merges #4",
  ],
  [
    "people merge here",
    (rig) => Object.assign(rig.context.settings.merge, { auto: false }),
    "a person with write permission merges #4",
  ],
  [
    "branch protection demands more",
    (rig) => Object.assign(rig.repository, { mergeDemands: { approvals: 2 } }),
    "demands 2 approving reviews",
  ],
])("a merge whose first try failed is not made once %s, and the reason is told", async (_, changes, why) => {
  const { rig, tries } = await jammed();
  await changes(rig);
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect([tries(), isMerged(rig)]).toEqual([1, false]);
  expect(shown(rig)).toContain(why);
});

it("a merge whose first try failed is made at the next where nothing has changed", async () => {
  const { rig, tries } = await jammed();
  await rig.pass(5 * MINUTE);
  expect([tries(), isMerged(rig)]).toEqual([2, true]);
});

it("a merge that waited over a death of the process is not made where people have said no meanwhile", async () => {
  const { rig, tries } = await jammed();
  rig.life.end();
  const head = rig.worktrees.serverHead(branchOf(1)) ?? null;
  addReview(rig.repository, pullOf(rig), {
    by: person("alice"),
    verdict: "changes_requested",
    commit: head,
    body: "Never.",
  });
  await rig.restart();
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect([tries(), isMerged(rig)]).toEqual([1, false]);
  expect(await takeIn(rig)).toEqual(["pull_request_review.submitted"]);
  expect(await stateOfTask(rig)).not.toBe("APPROVED");
});

it("what a person pushed and another approved is merged although its agent stays paused for the push", async () => {
  const rig = await underReview();
  await tell(rig, pushed(rig, branchOf(1), { "theirs.ts": "one" }, { by: "alice" }));
  Object.assign(pullIn(rig), { headSha: rig.worktrees.serverHead(branchOf(1)) });
  await approves(rig);
  await rounds(rig);
  expect(isMerged(rig)).toBe(true);
});
