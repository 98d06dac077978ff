import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type RealHarness, realHarness } from "./real-harness.ts";

const run = promisify(execFile);
const BRANCH = "flotilla/dev/issue-1";

async function aServer(): Promise<RealHarness> {
  const harness = await realHarness();
  onTestFinished(() => harness.close());
  return harness;
}

/** A person's clone, in which git makes the commits. */
async function aClone({ server, fullName }: RealHarness) {
  const directory = await mkdtemp(join(tmpdir(), "flotilla-clone-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const bare = (await server.git(fullName, "rev-parse", "--absolute-git-dir")).trim();
  const git = async (...args: string[]) => {
    const who = ["-c", "user.name=A person", "-c", "user.email=person@example.com"];
    return (await run("git", ["-C", directory, ...who, ...args])).stdout.trim();
  };
  await git("clone", "--quiet", bare, ".");
  return {
    git,
    async commit(path: string, text: string, message: string) {
      await writeFile(join(directory, path), text);
      await git("add", path);
      await git("commit", "--quiet", "-m", message);
    },
  };
}

/** Compares the branch first, as the merge queue does: that fetches both commits. */
async function changeOf(harness: RealHarness) {
  const { worktrees, repository } = harness;
  const head = (await harness.serverHead(BRANCH)) ?? "";
  const base = (await harness.serverHead("main")) ?? "";
  await worktrees.compareBranches(repository, "main", [{ branch: BRANCH, approved: head }]);
  return worktrees.changeOf(repository, { base, head });
}

it("finds the files that a revert on the base has changed, and no others", async () => {
  const harness = await aServer();
  const clone = await aClone(harness);
  await clone.commit("src/a.txt", "broken\n", "Break a");
  await clone.git("revert", "--no-edit", "HEAD");
  await clone.commit("src/b.txt", "other\n", "No Revert of b");
  await clone.git("push", "--quiet", "origin", "HEAD:main");
  await harness.serverCommit(BRANCH, { "src/a.txt": "again\n", "src/b.txt": "mine\n" });
  expect((await changeOf(harness))?.reverted).toEqual(["src/a.txt"]);
});

it("takes a moved file for one that went and one that came", async () => {
  const harness = await aServer();
  const clone = await aClone(harness);
  await clone.git("mv", "README.md", "src/README.md");
  await clone.git("commit", "--quiet", "-m", "Move it");
  await clone.git("push", "--quiet", "origin", `HEAD:refs/heads/${BRANCH}`);
  expect((await changeOf(harness))?.files).toEqual([
    { path: "README.md", lines: 2 },
    { path: "src/README.md", lines: 2 },
  ]);
});

it("reads names as they are", async () => {
  const harness = await aServer();
  const clone = await aClone(harness);
  await clone.commit("tab\there\nand é.txt", "one\n", "A name");
  await clone.git("push", "--quiet", "origin", `HEAD:refs/heads/${BRANCH}`);
  expect((await changeOf(harness))?.files).toEqual([{ path: "tab\there\nand é.txt", lines: 1 }]);
});

const manyFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`many/${index}.txt`, "1\n"]));

it("says that more than 3,000 files are too many, and that unrelated work has no change", async () => {
  const harness = await aServer();
  await harness.serverCommit(BRANCH, manyFiles(3000));
  expect((await changeOf(harness))?.files).toHaveLength(3000);
  await harness.serverCommit(BRANCH, { "one-more.txt": "1\n" });
  expect(await changeOf(harness)).toBeNull();
  const clone = await aClone(harness);
  await clone.git("checkout", "--quiet", "--orphan", "apart");
  await clone.git("commit", "--quiet", "-m", "Apart");
  await clone.git("push", "--quiet", "--force", "origin", `HEAD:refs/heads/${BRANCH}`);
  expect(await changeOf(harness)).toBeNull();
});
