import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { decisionsOn, statusComments, taskOf, toldTo } from "../look.ts";
import { approvedWork, checkOf, diesAfter, merging, rounds, statesOf } from "../merge-queue-rig.ts";
import { pullClosed, reviewed, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { pullOf } from "../together/work-under-way.ts";

const shown = (rig: Rig) => statusComments(rig).at(-1) ?? "";
const added = (rig: Rig) => rig.github.writes.filter((write) => write.startsWith("enqueuePull"));
const isIn = (rig: Rig) => rig.repository.queued.get(pullOf(rig))?.isIn;

/** Approved work on a base branch that only GitHub's own queue merges into. */
const inQueue = (before: (rig: Rig) => void = () => {}) =>
  approvedWork({
    settings: merging(),
    before: (rig) => {
      rig.repository.mergeDemands = { queue: true };
      before(rig);
    },
  });

/** GitHub takes the work out of its queue. */
async function leaves(rig: Rig, reason: string, by: string | null = null): Promise<void> {
  const left = { at: rig.clock.now(), reason, by, commit: "9".repeat(40) };
  rig.repository.queued.set(pullOf(rig), { isIn: false, left });
  await later(rig);
}

async function later(rig: Rig): Promise<void> {
  rig.clock.advance(someSettings().reconcileEveryMs);
  await rounds(rig);
}

it("adds approved work to GitHub's queue, once, and says that it is there", async () => {
  const rig = await inQueue();
  await later(rig);
  expect(added(rig)).toEqual([`enqueuePull ${pullOf(rig)}`]);
  expect(rig.github.writes).not.toContain(`mergePull ${pullOf(rig)}`);
  expect(shown(rig)).toContain(`#${pullOf(rig)} is in GitHub's merge queue of \`main\``);
});

it("is done when GitHub has merged it", async () => {
  const rig = await inQueue();
  await tell(rig, pullClosed(rig, pullOf(rig), { merged: true }));
  expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
});

it("sends work whose checks failed in the queue back to its coder, with their output", async () => {
  const rig = await inQueue(({ repository }) => {
    repository.checks.set("9".repeat(40), [
      { ...checkOf("build", "red"), output: "expected 1, got 2" },
      checkOf("lint", "green"),
    ]);
  });
  await leaves(rig, "failed_checks", "github-merge-queue[bot]");
  expect((await taskOf(rig))?.integrationReason).toBe(
    "the checks of #4 failed in GitHub's merge queue of `main`",
  );
  const told = toldTo(rig).at(-1) ?? "";
  expect(told).toContain("the checks of #4 failed in GitHub's merge queue");
  expect(told).toContain("expected 1, got 2");
  expect(told).not.toContain("lint");
});

it("waits for a person after a person took it out, and does not add it again", async () => {
  const rig = await inQueue();
  await leaves(rig, "manual", "alice");
  await later(rig);
  expect(added(rig)).toHaveLength(1);
  expect(shown(rig)).toContain("`@alice` took #4 out of GitHub's merge queue");
});

it("leaves work that a person has added as it is", async () => {
  const rig = await inQueue(({ repository }) => {
    for (const number of repository.pulls.keys()) repository.queued.set(number, { isIn: true, left: null });
  });
  expect([added(rig), isIn(rig)]).toEqual([[], true]);
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "too dear" });
  await rounds(rig);
  expect(isIn(rig)).toBe(true);
});

it("takes it out while it is held, and adds it again after that", async () => {
  const rig = await inQueue();
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "too dear" });
  await rounds(rig);
  expect(isIn(rig)).toBe(false);
  await later(rig);
  expect(added(rig)).toHaveLength(1);
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await later(rig);
  expect([added(rig).length, isIn(rig)]).toEqual([2, true]);
});

it("takes it out when a person requests changes", async () => {
  const rig = await inQueue();
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "bob" }));
  await rounds(rig);
  expect(isIn(rig)).toBe(false);
});

it("merges by itself once the branch has no queue any more", async () => {
  const rig = await inQueue();
  rig.repository.mergeDemands = {};
  rig.repository.queued.set(pullOf(rig), { isIn: false, left: null });
  await later(rig);
  expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
});

it("says why GitHub does not take it, and tries again later", async () => {
  const rig = await inQueue(({ github }) => {
    github.enqueuePull = async () => ({
      kind: "refused",
      reason: "Changes must be made through a pull request",
    });
  });
  expect(shown(rig)).toContain(
    "GitHub did not add #4 to its merge queue: Changes must be made through a pull request",
  );
});

it.each(["before", "after"] as const)("adds it once though the answer is lost (%s)", async (when) => {
  const rig = await inQueue(({ github }) => {
    const error = new GitHubError("unavailable", "no answer", 0, { consequence: "retry", uncertain: true });
    github.failNext("enqueuePull", error, when);
  });
  await later(rig);
  expect([added(rig).length, isIn(rig)]).toEqual([1, true]);
});

it("adds it once though the process dies right after that", async () => {
  const rig = await inQueue((one) => diesAfter(one, "merge_pull"));
  await later(rig);
  expect([added(rig).length, isIn(rig)]).toEqual([1, true]);
});

it("asks a person to add it where people merge", async () => {
  const rig = await approvedWork({
    before: ({ repository }) => void (repository.mergeDemands = { queue: true }),
  });
  expect(shown(rig)).toContain("adds #4 to GitHub's merge queue");
  expect(await decisionsOn(rig)).toEqual(["merge_asked"]);
});
