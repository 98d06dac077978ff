import { afterEach, beforeEach, expect, it } from "vitest";
import { type RealHarness, realHarness } from "./real-harness.ts";

const PULL = 7;
let harness: RealHarness;

beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

const git = (...args: string[]) => harness.server.git(harness.fullName, ...args);

/** A fork's commit: it is on no branch of the server, only at the head of its pull request. */
async function forksCommit(content = "1\n"): Promise<string> {
  const commit = await harness.serverCommit("forks", { "theirs.txt": content });
  await git("update-ref", `refs/pull/${PULL}/head`, commit);
  await git("update-ref", "-d", "refs/heads/forks");
  return commit;
}

const ref = () => ({ repository: harness.repository, name: "reviewer-issue-7", branch: null });
const prepare = (commit: string, pull?: number) =>
  harness.worktrees.prepare(ref(), {
    base: null,
    reusePushed: false,
    commit,
    ...(pull === undefined ? {} : { pull }),
  });

it("is checked out from the pull request where it is on no branch, with what it was put on", async () => {
  const base = await git("rev-parse", "main");
  const commit = await forksCommit();
  await expect(prepare(commit)).rejects.toMatchObject({ code: "commit_missing" });
  expect(await prepare(commit, PULL)).toMatchObject({ head: commit, baseCommit: base });
  expect((await harness.worktrees.diff(ref(), base, 10_000)).files).toEqual(["theirs.txt"]);
});

it("is gone once the fork has moved on by force", async () => {
  const before = await forksCommit();
  await forksCommit("2\n");
  await git("reflog", "expire", "--expire=now", "--all");
  await git("prune", "--expire=now");
  await expect(prepare(before, PULL)).rejects.toMatchObject({ code: "commit_missing" });
});

it("is never taken for a branch of the repository", async () => {
  await prepare(await forksCommit(), PULL);
  expect(await git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
});
