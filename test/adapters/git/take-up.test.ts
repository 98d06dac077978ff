import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { REWRITTEN } from "../../../src/adapters/git/worktree/status.ts";
import { AUTHOR } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";
const AGAIN = { base: null, reusePushed: true };

/** One file pushed and one not committed. */
async function atWork() {
  const harness = await realHarness();
  onTestFinished(() => harness.close());
  const ref = { repository: harness.repository, name: NAME, branch: BRANCH };
  await harness.worktrees.prepare(ref, { base: null, reusePushed: false });
  await harness.write(NAME, "pushed.txt", "p\n");
  await harness.worktrees.commit(ref, { message: "work", author: AUTHOR });
  await harness.worktrees.push(ref);
  await harness.write(NAME, "open.txt", "o\n");
  return { harness, ref };
}

const kept = (harness: RealHarness) =>
  plainGit(harness.mirror, ["for-each-ref", "--format=%(refname)", `refs/flotilla/kept/${NAME}`]);

it("leaves away what a person took away by writing the branch again", async () => {
  const { harness, ref } = await atWork();
  await harness.server.git(harness.fullName, "update-ref", `refs/heads/${BRANCH}`, "refs/heads/main");
  const theirs = await harness.serverCommit(BRANCH, { "theirs.txt": "t\n" });
  expect((await harness.worktrees.prepare(ref, AGAIN)).takenUp).toEqual({ head: theirs, conflicts: [] });
  expect((await harness.worktrees.status(ref)).changed).toEqual(["open.txt"]);
  expect(await harness.read(NAME, "pushed.txt")).toBeNull();
});

it("keeps what stood before, to be had back", async () => {
  const { harness, ref } = await atWork();
  await harness.serverCommit(BRANCH, { "open.txt": "theirs\n" });
  await harness.worktrees.prepare(ref, AGAIN);
  expect(await plainGit(harness.mirror, ["show", `${await kept(harness)}:open.txt`])).toBe("o");
});

it("loses neither side when the host dies while the files are written", async () => {
  const { harness, ref } = await atWork();
  const theirs = await harness.serverCommit(BRANCH, { "theirs.txt": "t\n" });
  await harness.worktrees.prepare(ref, AGAIN);
  // As it stands then: the refs have moved, the entry is locked, files are missing.
  await writeFile(join(harness.mirror, "worktrees", NAME, "locked"), REWRITTEN);
  await rm(join(harness.directory(NAME), "theirs.txt"));
  await rm(join(harness.directory(NAME), "open.txt"));
  expect(await harness.restart().worktrees.prepare(ref, AGAIN)).toMatchObject({ head: theirs });
  expect(await harness.read(NAME, "theirs.txt")).toBe("t\n");
  expect((await harness.worktrees.status(ref)).changed).toEqual(["open.txt"]);
});

it("moves a nested repository out of the way of what was pushed in its place", async () => {
  const { harness, ref } = await atWork();
  for (const tool of ["one", "two"]) {
    await mkdir(join(harness.directory(NAME), "vendor", tool), { recursive: true });
    await plainGit(join(harness.directory(NAME), "vendor", tool), ["init", "--quiet", "."]);
    await harness.write(NAME, `vendor/${tool}/precious.txt`, "p\n");
  }
  await harness.serverCommit(BRANCH, { "vendor/one": "a file\n" });
  await harness.worktrees.prepare(ref, AGAIN);
  expect([
    await harness.read(NAME, "vendor/one"),
    await harness.read(NAME, "vendor/two/precious.txt"),
  ]).toEqual(["a file\n", "p\n"]);
  const moved = join(harness.dataDir, "archives", "4711", NAME, "nested", "vendor", "one", "precious.txt");
  expect(await readFile(moved, "utf8")).toBe("p\n");
});
