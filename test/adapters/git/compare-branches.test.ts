import { expect, it, onTestFinished } from "vitest";
import { nextStep } from "../../../src/domain/merge-queue/next-step.ts";
import { inOrder, type QueueEntry, waitsBehind } from "../../../src/domain/merge-queue/queue.ts";
import type { BranchComparison } from "../../../src/domain/ports/worktrees.ts";
import { AUTHOR } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

/** Rounds of the merge queue that a coder takes to fix a conflict. */
const MENDING = 2;

interface Work extends QueueEntry {
  readonly branch: string;
  approved: string;
  fixes: number;
  /** The round in which it is approved again. */
  backAt: number;
}

/** Each adds a line at the same place of one file, and a file of its own. */
async function approvedBranches(harness: RealHarness, count: number): Promise<Work[]> {
  const works: Work[] = [];
  for (let number = 1; number <= count; number += 1) {
    const branch = `flotilla/dev/issue-${number}`;
    const files = { "list.txt": `head\nline ${number}\n`, [`own-${number}.txt`]: `${number}\n` };
    const approved = await harness.serverCommit(branch, files);
    const place = { taskId: number, issue: number, base: null, joinedAt: number, files: Object.keys(files) };
    works.push({ ...place, stopped: false, branch, approved, fixes: 0, backAt: 0 });
  }
  return works;
}

const factsOf = (work: Work, comparison: BranchComparison): Parameters<typeof nextStep>[0] => ({
  reviewCommit: work.approved,
  pull: {
    number: work.issue,
    state: "open",
    merged: false,
    draft: false,
    baseRef: "main",
    mergeState: "clean",
  },
  comparison,
  base: "main",
  demands: { upToDate: false, approvals: 0, queue: false },
  approvals: 0,
  requesters: [],
  takenBack: [],
  withoutAccess: [],
  apps: [],
  required: 1,
  checks: { kind: "green" },
  failure: "",
  holds: [],
  coderAtWork: false,
  refusal: null,
  merges: true,
});

/** What GitHub does: the work as one commit on the base, which must not have moved. */
async function squash({ server, fullName }: RealHarness, work: Work, base: string): Promise<void> {
  const tree = await server.git(fullName, "merge-tree", "--write-tree", base, work.approved);
  const commit = await server.git(fullName, "commit-tree", tree, "-p", base, "-m", `Work ${work.issue}`);
  await server.git(fullName, "update-ref", "refs/heads/main", commit, base);
}

/** What its one coder does: it keeps both sides of each conflict. */
async function fixConflicts(harness: RealHarness, work: Work): Promise<void> {
  const { worktrees, repository } = harness;
  const ref = { repository, name: `dev-issue-${work.issue}`, branch: work.branch };
  await worktrees.prepare(ref, { base: null, reusePushed: true });
  const brought = await worktrees.bringIn(ref, "main");
  for (const path of brought?.conflicts ?? []) {
    const text = (await harness.read(ref.name, path)) ?? "";
    await harness.write(ref.name, path, text.replace(/^(<{7}|={7}|>{7}).*\n/gm, ""));
  }
  await worktrees.commit(ref, { message: "Settle", author: AUTHOR });
  work.approved = (await worktrees.push(ref)).commit;
  work.fixes += 1;
}

/** One refresh of the queue, as the engine takes it: from the front until one step is taken. */
async function look(harness: RealHarness, queue: readonly Work[], round: number): Promise<Work | null> {
  const { worktrees, repository } = harness;
  const comparisons = await worktrees.compareBranches(repository, "main", queue);
  for (const [index, work] of queue.entries()) {
    const comparison = comparisons[index];
    if (comparison === undefined || work.backAt > round || waitsBehind(work, queue) !== null) continue;
    const step = nextStep(factsOf(work, comparison));
    if (step.kind === "fail") {
      // The base continues to move while it is fixed.
      await fixConflicts(harness, work);
      work.backAt = round + MENDING;
      return null;
    }
    if (step.kind === "update") {
      const how = { branch: work.branch, base: "main", expected: work.approved, author: AUTHOR };
      const updated = await worktrees.updateBranch(repository, how);
      work.approved = updated.kind === "updated" ? updated.commit : work.approved;
      return null;
    }
    expect(step.kind).toBe("merge");
    await squash(harness, work, comparison.base);
    return work;
  }
  return null;
}

// Three and ten of them go through the engine in test/engine/merge-queue/many-pull-requests.test.ts.
it.each([6])(
  "%i approved pull requests that overlap are each fixed once at the most, and nothing of the base is lost",
  { timeout: 60_000 },
  async (count) => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const works = await approvedBranches(harness, count);
    const tips = [(await harness.serverHead("main")) ?? ""];
    let queue = inOrder(works);
    for (let round = 1; queue.length > 0 && round < 10 * count; round += 1) {
      const merged = await look(harness, queue, round);
      queue = queue.filter((work) => work !== merged);
      if (merged !== null) tips.push((await harness.serverHead("main")) ?? "");
      // A person pushes to the base, in the middle of it all.
      if (round === count) tips.push(await harness.serverCommit("main", { "person.txt": "by hand\n" }));
    }
    expect(queue).toEqual([]);
    expect(Math.max(...works.map(({ fixes }) => fixes))).toBe(1);
    expect(works.reduce((sum, { fixes }) => sum + fixes, 0)).toBe(count - 1);
    const { server, fullName } = harness;
    const chain = (await server.git(fullName, "rev-list", "--first-parent", "--reverse", "main")).split("\n");
    expect(chain).toEqual(tips);
    const list = (await server.git(fullName, "show", "main:list.txt")).split("\n");
    expect(list.toSorted()).toEqual(["head", ...works.map(({ issue }) => `line ${issue}`)].toSorted());
    const names = (await server.git(fullName, "ls-tree", "--name-only", "main")).split("\n");
    expect(names).toEqual(
      expect.arrayContaining(["person.txt", ...works.map((work) => `own-${work.issue}.txt`)]),
    );
  },
);
