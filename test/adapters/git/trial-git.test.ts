import { execFile } from "node:child_process";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTrialGit, type TrialGit } from "../../../src/adapters/git/trial/create-trial-git.ts";
import { isolationHere } from "./isolation-here.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness, TOKEN } from "./real-harness.ts";

const PULL = 7;
let harness: RealHarness;
let trial: TrialGit;

beforeEach(async () => {
  harness = await realHarness();
  const { dataDir, server, repository } = harness;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  trial = createTrialGit(
    {
      dataDir,
      serverUrl: server.url,
      token: () => Promise.resolve(TOKEN),
      log,
      isolation: isolationHere(dataDir),
    },
    repository,
  );
});
afterEach(() => harness.close());

const git = (...args: string[]) => harness.server.git(harness.fullName, ...args);
const execute = promisify(execFile);

/** A pull request of two commits, with its merge into main; main moved on before and after. */
async function mergedPull(how: "merge" | "squash") {
  const base = await git("rev-parse", "main");
  await harness.serverCommit("topic", { "src/a.js": "1\n", "test/a.test.js": "old\n" });
  const head = await harness.serverCommit("topic", { "src/a.js": "2\n", "test/a.test.js": "new\n" });
  await git("update-ref", `refs/pull/${PULL}/head`, head);
  const before = await harness.serverCommit("main", { "other.txt": "meanwhile\n" });
  const tree = (await git("merge-tree", "--write-tree", before, head)).split("\n")[0] ?? "";
  const parents = how === "merge" ? ["-p", before, "-p", head] : ["-p", before];
  const merge = await git("commit-tree", tree, ...parents, "-m", "merged");
  await git("update-ref", "refs/heads/main", merge);
  await git("update-ref", "-d", "refs/heads/topic");
  await harness.serverCommit("main", { "later.txt": "the future\n" });
  return { pull: PULL, base, head, merge };
}

it.each(["merge", "squash"] as const)(
  "finds where a pull request began that a %s brought in",
  async (how) => {
    const { base, head, merge } = await mergedPull(how);
    const found = await trial.pullHistory({ pull: PULL, head, merge });
    expect(found?.base).toBe(base);
    expect(found?.commits.map(({ id }) => id)).toEqual([head, await git("rev-parse", `${head}^`)]);
    expect(found?.commits.every(({ at }) => at > 1_500_000_000_000)).toBe(true);
  },
);

it("has no history where the server lost the head", async () => {
  const { merge } = await mergedPull("squash");
  expect(await trial.pullHistory({ pull: PULL, head: "1".repeat(40), merge })).toBeNull();
});

it("makes a repository of a commit's history and of nothing later", async () => {
  const { base, head, merge } = await mergedPull("merge");
  await trial.pullHistory({ pull: PULL, head, merge });
  const directory = join(harness.dataDir, "cases", "one.git");
  await trial.loneHistory({ commit: base, branch: "trunk", directory });
  const lone = (...args: string[]) => plainGit(directory, args);
  expect(await lone("for-each-ref", "--format=%(refname) %(objectname)")).toBe(`refs/heads/trunk ${base}`);
  expect(await readFile(join(directory, "HEAD"), "utf8")).toBe("ref: refs/heads/trunk\n");
  const all = (await lone("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")).split("\n");
  const reached = (await lone("rev-list", "--objects", "--no-object-names", base)).split("\n");
  expect(all.toSorted()).toEqual(reached.toSorted());
  expect(all).not.toContain(head);
  await lone("fsck", "--strict");
  // It does not depend on the mirror, and a log of its refs would tell when it was made.
  expect(await readdir(directory)).not.toContain("logs");
  expect(await readdir(join(directory, "objects", "info"))).toEqual([]);
  expect(await readdir(join(harness.dataDir, "cases"))).toEqual(["one.git"]);
  await trial.loneHistory({ commit: base, branch: "trunk", directory });
});

it("gets what a case needs, and says what the server lost", async () => {
  const { base, head } = await mergedPull("merge");
  await trial.fetchCase({ pull: PULL, base, change: head });
  expect((await trial.difference({ from: base, to: head })).map(({ path }) => path)).toEqual([
    "src/a.js",
    "test/a.test.js",
  ]);
  await expect(trial.fetchCase({ pull: PULL, base, change: "1".repeat(40) })).rejects.toMatchObject({
    code: "commit_missing",
  });
});

/** A commit on the lone history, with files that `make` leaves. */
async function workOn(base: string, make: (directory: string) => Promise<void>) {
  const directory = join(harness.dataDir, "cases", "work.git");
  await trial.loneHistory({ commit: base, branch: "main", directory });
  const clone = join(harness.dataDir, "clone");
  await execute("git", ["clone", "--quiet", directory, clone]);
  await make(clone);
  await plainGit(clone, ["add", "--all"]);
  await plainGit(clone, ["commit", "--quiet", "--message=work"]);
  await plainGit(clone, ["push", "--quiet", "origin", "HEAD:refs/heads/work"]);
  return { directory, head: await plainGit(clone, ["rev-parse", "HEAD"]) };
}

it("lays files over the work of an agent, where its links lead nowhere", async () => {
  const { base, head, merge } = await mergedPull("squash");
  await trial.pullHistory({ pull: PULL, head, merge });
  const outside = join(harness.dataDir, "outside");
  const work = await workOn(base, async (directory) => {
    await writeFile(join(directory, "solution.js"), "good\n");
    // The tests would be written there.
    await symlink("/tmp", join(directory, "test"));
    await symlink(outside, join(directory, "mine.test.js"));
  });
  await trial.takeWork({ ...work, since: base });
  const paths = ["test/a.test.js", "mine.test.js"];
  const laid = await trial.layOver({ onto: work.head, from: head, paths });
  const changed = await trial.difference({ from: base, to: laid });
  expect(changed.map(({ path, mode }) => [path, mode])).toEqual([
    ["solution.js", "100644"],
    ["test/a.test.js", "100644"],
  ]);
  const texts = await trial.texts(changed);
  expect(texts.get("test/a.test.js")).toEqual({ before: undefined, after: "new\n" });
  expect(await trial.layOver({ onto: work.head, from: head, paths })).toBe(laid);
  const ref = { repository: harness.repository, name: "case", branch: null };
  const { path } = await trial.checkout(ref, laid);
  expect(await readFile(join(path, "test", "a.test.js"), "utf8")).toBe("new\n");
  await trial.removeCheckout(ref);
});

it("lays no link of the real change over a result", async () => {
  const { base, head, merge } = await mergedPull("squash");
  await trial.pullHistory({ pull: PULL, head, merge });
  const work = await workOn(base, (directory) => symlink("/etc/passwd", join(directory, "link.test.js")));
  await trial.takeWork({ ...work, since: base });
  const laid = await trial.layOver({ onto: base, from: work.head, paths: ["link.test.js"] });
  expect(await trial.difference({ from: base, to: laid })).toEqual([]);
});

it("refuses work of which a part is missing", async () => {
  const { base, head, merge } = await mergedPull("squash");
  await trial.pullHistory({ pull: PULL, head, merge });
  const { directory } = await workOn(base, (at) => writeFile(join(at, "solution.js"), "good\n"));
  await expect(trial.takeWork({ directory, head: "1".repeat(40), since: base })).rejects.toMatchObject({
    name: "GitError",
  });
});

it("reads what a pull request changed, and the paths of a commit", async () => {
  const { base, head, merge } = await mergedPull("squash");
  await trial.pullHistory({ pull: PULL, head, merge });
  expect(await trial.patch({ from: base, to: head, limit: 10_000 })).toContain(
    "+++ b/src/a.js\n@@ -0,0 +1 @@\n+2\n",
  );
  expect((await trial.patch({ from: base, to: head, limit: 20 })).length).toBe(20);
  expect(await trial.paths(head)).toEqual(expect.arrayContaining(["src/a.js", "test/a.test.js"]));
});
