import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type MergeMethod, mergeCommits } from "../../../src/demo/github/git/merge.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const BRANCH = "flotilla/dev/issue-1";
const PULL = 7;
const execute = promisify(execFile);

let harness: RealHarness;
let minute = 0;

beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

const git = (...args: string[]) => harness.server.git(harness.fullName, ...args);

/** A commit with a time of its own, which those of one second would share. */
async function commit(branch: string, files: Record<string, string>): Promise<string> {
  return dated(branch, await harness.serverCommit(branch, files));
}

async function dated(branch: string, like: string, at?: string): Promise<string> {
  minute += 1;
  const parents = (await git("show", "--no-patch", "--format=%P", like)).split(" ");
  const date = at ?? `2026-01-01T00:${String(minute % 60).padStart(2, "0")}:00Z`;
  const { stdout } = await execute(
    "git",
    ["commit-tree", `${like}^{tree}`, ...parents.flatMap((parent) => ["-p", parent]), "-m", "Work"],
    {
      env: {
        PATH: process.env["PATH"] ?? "",
        GIT_DIR: await git("rev-parse", "--absolute-git-dir"),
        GIT_AUTHOR_NAME: "A coder",
        GIT_AUTHOR_EMAIL: "coder@example.com",
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: "A coder",
        GIT_COMMITTER_EMAIL: "coder@example.com",
      },
    },
  );
  await git("update-ref", `refs/heads/${branch}`, stdout.trim());
  return stdout.trim();
}

/** Three commits. */
async function branchOfThree(): Promise<string> {
  await commit(BRANCH, { "src/a.txt": "first\n" });
  await commit(BRANCH, { "new.txt": "second\n" });
  return commit(BRANCH, { "src/b.txt": "third\n" });
}

/** The server merges the branch as GitHub does, and deletes it. */
async function merged(method: MergeMethod): Promise<{ merge: string; head: string; pull: number }> {
  const [base, head] = await Promise.all([git("rev-parse", "main"), git("rev-parse", BRANCH)]);
  const merge = await mergeCommits(await git("rev-parse", "--absolute-git-dir"), {
    base,
    head,
    method,
    message: "The work (#7)",
    author: { name: "A person", email: "person@example.com", at: Date.UTC(2026, 1, 1) },
  });
  await git("update-ref", "refs/heads/main", merge ?? "");
  await git("update-ref", `refs/pull/${PULL}/head`, head);
  await git("update-ref", "-d", `refs/heads/${BRANCH}`);
  return { merge: merge ?? "", head, pull: PULL };
}

const onto = (how: { merge: string; head: string; pull: number }) =>
  harness.worktrees.mergedOnto(harness.repository, how);

it.each(["merge", "squash", "rebase"] as const)(
  "finds what a pull request was put on by a %s, while the base went on",
  async (method) => {
    await branchOfThree();
    const base = await commit("main", { "README.md": "one\n2\n" });
    const how = await merged(method);
    await commit("main", { "later.txt": "l\n" });
    expect(await onto(how)).toBe(base);
  },
);

it("finds it after a rebase that had nothing to move", async () => {
  const base = await git("rev-parse", "main");
  await branchOfThree();
  expect(await onto(await merged("rebase"))).toBe(base);
});

it.each([
  ["first", { "src/a.txt": "first\n" }],
  ["last", { "src/b.txt": "third\n" }],
])("finds it after a rebase in which the %s commit became empty", async (_, files) => {
  await branchOfThree();
  const base = await commit("main", files);
  const how = await merged("rebase");
  expect(await git("rev-list", "--count", `${base}..${how.merge}`)).toBe("2");
  expect(await onto(how)).toBe(base);
});

const lines = (...more: string[]) => ["1", "2", "3", ...more, ""].join("\n");

it("finds it where a rebase has moved the lines around a change", async () => {
  await commit("main", { "list.txt": lines("4", "5", "6", "7") });
  await commit(BRANCH, { "list.txt": lines("4", "5", "6", "seven") });
  await commit(BRANCH, { "list.txt": lines("4", "5", "6", "seven", "8") });
  const base = await commit("main", { "list.txt": lines("vier", "5", "6", "7") });
  expect(await onto(await merged("rebase"))).toBe(base);
});

it.each(["squash", "rebase"] as const)(
  "finds it by a %s of a branch that had taken the base in",
  async (method) => {
    await branchOfThree();
    const middle = await commit("main", { "README.md": "one\n2\n" });
    const head = await git("rev-parse", BRANCH);
    const tree = await git("merge-tree", "--write-tree", head, middle);
    await git(
      "update-ref",
      `refs/heads/${BRANCH}`,
      await git("commit-tree", tree, "-p", head, "-p", middle, "-m", "M"),
    );
    const base = await commit("main", { "src/c.txt": "elsewhere\n" });
    expect(await onto(await merged(method))).toBe(base);
  },
);

it("says that it does not know, where the merge shows something else than the pull request", async () => {
  await branchOfThree();
  const how = await merged("rebase");
  const amended = await dated("main", how.merge);
  expect(await onto({ ...how, merge: amended }), "only the last commit has another time").toBeNull();
  const time = await git("show", "--no-patch", "--format=%aI", how.head);
  await git("update-ref", "refs/heads/forged", `${how.merge}^`);
  const forged = await dated("forged", await harness.serverCommit("forged", { "new.txt": "else\n" }), time);
  expect(await onto({ ...how, merge: forged }), "another change at the last commit's time").toBeNull();
  const other = await harness.serverCommit("main", { "more.txt": "m\n" });
  expect(await onto({ ...how, merge: other }), "a commit of somebody else").toBeNull();
  expect(await onto({ ...how, head: how.merge }), "a fast-forward").toBeNull();
  expect(await onto({ ...how, head: "d".repeat(40) }), "a head that nobody has").toBeNull();
  expect(await onto({ ...how, merge: "d".repeat(40) }), "a merge that nobody has").toBeNull();
});

it("finds it where a commit had no change to begin with", async () => {
  const base = await git("rev-parse", "main");
  await branchOfThree();
  await dated(BRANCH, await git("commit-tree", `${BRANCH}^{tree}`, "-p", BRANCH, "-m", "Nothing"));
  await commit(BRANCH, { "src/c.txt": "fourth\n" });
  expect(await onto(await merged("rebase"))).toBe(base);
});

it("says that it does not know, where another change stands in the place of a commit that became empty", async () => {
  await branchOfThree();
  await commit("main", { "src/b.txt": "third\n" });
  const how = await merged("rebase");
  const time = await git("show", "--no-patch", "--format=%aI", how.head);
  const forged = await dated("main", await harness.serverCommit("main", { "new.txt": "else\n" }), time);
  expect(await onto({ ...how, merge: forged })).toBeNull();
});

it("says that it does not know, where a squash has more or less than the pull request", async () => {
  await branchOfThree();
  const how = await merged("squash");
  await git("update-ref", "refs/heads/extra", `${how.merge}^`);
  const more = await harness.serverCommit("extra", {
    "src/a.txt": "first\n",
    "new.txt": "second\n",
    "src/b.txt": "third\n",
    "x.txt": "x\n",
  });
  expect(await onto({ ...how, merge: more })).toBeNull();
});
