import { expect, it } from "vitest";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { statusComments } from "../look.ts";
import { approvedWork, branchOf, merging, rounds, statesOf } from "../merge-queue-rig.ts";
import { methodOf } from "../method-of.ts";
import type { Rig } from "../rig.ts";

const TWO = { 1: { "one.txt": "one\n" }, 2: { "two.txt": "two\n" } };
const shown = (rig: Rig) => statusComments(rig, 1).at(-1) ?? "";

/** GitHub answers each try to merge #4 so; returns how often it was tried. */
function refuses(rig: Rig, answer: () => Promise<{ kind: "refused" | "moved"; reason: string }>) {
  const counted = { tries: 0 };
  const merge = methodOf(rig.github, "mergePull");
  rig.github.mergePull = async (repository, number, how) => {
    if (number !== 4) return merge(repository, number, how);
    counted.tries += 1;
    return answer();
  };
  return counted;
}

const throwing = (error: Error) => async (): Promise<never> => {
  throw error;
};
const failing = (status: number, code: "forbidden" | "invalid", advice: string) =>
  throwing(new GitHubError(code, `GitHub answered ${status}`, status, { consequence: "tell", advice }));

it.each<readonly [string, Parameters<typeof refuses>[1], string]>([
  [
    "405",
    async () => ({ kind: "refused", reason: "Not mergeable" }),
    "GitHub did not merge #4: Not mergeable",
  ],
  [
    "403",
    failing(403, "forbidden", "Grant the permission."),
    "merging the pull request failed: GitHub answered 403",
  ],
  ["422", failing(422, "invalid", "Look at it."), "merging the pull request failed: GitHub answered 422"],
  [
    "500 each time",
    throwing(new GitHubError("unavailable", "GitHub answered 500", 500, { consequence: "retry" })),
    "merging the pull request failed: GitHub answered 500",
  ],
  [
    "409 each time",
    async () => ({ kind: "moved", reason: "Head branch was modified" }),
    "merging the pull request failed: Head branch was modified",
  ],
])(
  "work that GitHub does not merge (%s) says why, and those behind it are merged",
  async (_, answer, why) => {
    let counted = { tries: 0 };
    const rig = await approvedWork({
      settings: merging(),
      work: TWO,
      before: (one) => {
        counted = refuses(one, answer);
      },
    });
    await rounds(rig, 25);
    expect(await statesOf(rig, 1, 2)).toEqual(["APPROVED", "MERGED"]);
    expect(shown(rig)).toContain(`not merged yet, ${why}`);
    expect(counted.tries).toBeGreaterThan(0);
  },
);

it("what GitHub refused is not tried again for the same head and base, until the next slice of time, then two, later each time", async () => {
  let counted = { tries: 0 };
  const rig = await approvedWork({
    settings: { ...merging(), reconcileEveryMs: 60 * MINUTE },
    before: (one) => {
      counted = refuses(one, async () => ({ kind: "refused", reason: "No" }));
    },
  });
  await rig.pass(MINUTE);
  await rounds(rig);
  expect(counted.tries).toBe(1);
  rig.worktrees.serverCommit("main", { "other.txt": "moved\n" });
  await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: null });
  await rounds(rig, 2);
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rounds(rig, 2);
  expect(counted.tries).toBe(2);
  await rig.pass(60 * MINUTE);
  await rounds(rig);
  expect(counted.tries).toBe(3);
  // Twice refused for this head and base: the pause is two slices now.
  await rig.pass(60 * MINUTE);
  await rounds(rig);
  expect(counted.tries).toBe(3);
  await rig.pass(60 * MINUTE);
  await rounds(rig);
  expect(counted.tries).toBe(4);
});

it.each<readonly [string, () => Promise<never> | Promise<{ kind: "moved"; head: null }>, string]>([
  [
    "is refused",
    throwing(new GitError("refused", "protected branch", { consequence: "tell", advice: "Allow the App." })),
    "bringing the branch up to date failed: protected branch",
  ],
  [
    "meets another head",
    async () => ({ kind: "moved", head: null }),
    "the branch of #4 changed while `main` was merged into it",
  ],
])("work whose update %s says why, and those behind it are merged", async (_, answer, why) => {
  const rig = await approvedWork({
    settings: merging(["build"]),
    work: TWO,
    before: (one) => {
      one.worktrees.serverCommit("main", { "other.txt": "moved\n" });
      const update = methodOf(one.worktrees, "updateBranch");
      one.worktrees.updateBranch = async (repository, how) =>
        how.branch === branchOf(1) ? answer() : update(repository, how);
    },
  });
  await rounds(rig);
  expect(await statesOf(rig, 1, 2)).toEqual(["APPROVED", "MERGED"]);
  expect(shown(rig)).toContain(`not merged yet, ${why}`);
});
