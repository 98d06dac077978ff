import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

let harness: RealHarness;
const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
const author = { name: "An agent", email: "agent@example.com" };

beforeEach(async () => {
  harness = await realHarness();
  await harness.worktrees.prepare(ref(), FRESH);
});
afterEach(() => harness.close());

async function commit(): Promise<string> {
  const made = await harness.worktrees.commit(ref(), { message: "m", author });
  return made?.commit ?? "";
}

it("holds the commit and nothing of what lies about in the worktree", async () => {
  await harness.write("dev-issue-1", "made.txt", "committed\n");
  const head = await commit();
  await harness.write("dev-issue-1", "made.txt", "changed since\n");
  await harness.write("dev-issue-1", "stray.txt", "not committed\n");
  const { path, home } = await harness.worktrees.checkout(ref(), head);
  expect(await readFile(join(path, "made.txt"), "utf8")).toBe("committed\n");
  expect((await readdir(path)).toSorted()).toEqual([".git", "README.md", "made.txt", "src"]);
  expect(await readdir(home)).toEqual([]);
});

it("begins clean again after a crash in the middle, with what commands had left in it", async () => {
  await harness.write("dev-issue-1", "made.txt", "committed\n");
  const head = await commit();
  const first = await harness.worktrees.checkout(ref(), head);
  await writeFile(join(first.path, "made.txt"), "spoilt\n");
  await writeFile(join(first.home, ".npmrc"), "x\n");
  const again = await harness.restart().worktrees.checkout(ref(), head);
  expect(await readFile(join(again.path, "made.txt"), "utf8")).toBe("committed\n");
  expect(await readdir(again.home)).toEqual([]);
});

it("leaves nothing when it is removed, not even what commands made read-only", async () => {
  await harness.write("dev-issue-1", "made.txt", "committed\n");
  const { path, home } = await harness.worktrees.checkout(ref(), await commit());
  await mkdir(join(home, "mod", "pkg"), { recursive: true });
  await writeFile(join(home, "mod", "pkg", "file"), "x");
  await chmod(join(home, "mod", "pkg"), 0o500);
  await chmod(join(home, "mod"), 0o500);
  await harness.worktrees.removeCheckout(ref());
  const beside = await readdir(join(path, ".."));
  expect(beside).toEqual(["dev-issue-1"]);
  expect(await readdir(join(harness.mirror, "worktrees"))).toEqual(["dev-issue-1"]);
});

it("moves no branch and does not keep the agent from its own", async () => {
  await harness.write("dev-issue-1", "made.txt", "committed\n");
  const head = await commit();
  await harness.worktrees.checkout(ref(), head);
  await harness.write("dev-issue-1", "more.txt", "more\n");
  expect(await commit()).not.toBe(head);
  await harness.worktrees.push(ref());
});

it("sees a file of the lock that became a link, and follows it nowhere", async () => {
  const before = await harness.worktrees.digest(ref(), ["go.sum"]);
  await symlink("/dev/zero", join(harness.directory("dev-issue-1"), "go.sum"));
  expect(await harness.worktrees.digest(ref(), ["go.sum"])).not.toBe(before);
});
