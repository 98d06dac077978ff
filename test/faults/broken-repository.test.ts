import { readdir, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RealHarness, realHarness } from "../adapters/git/real-harness.ts";
import { AUTHOR, FILES, FRESH } from "../contracts/worktrees-harness.ts";

const NAME = "dev-issue-1";

let harness: RealHarness;
beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

const ref = () => ({ repository: harness.repository, name: NAME, branch: "flotilla/dev/issue-1" });
const other = () => ({ ...ref(), name: "dev-issue-2", branch: "flotilla/dev/issue-2" });
const commit = () => harness.worktrees.commit(ref(), { message: "m", author: AUTHOR });

it("a worktree that is gone while its agent works is no deletion of everything, and comes back", async () => {
  const { head } = await harness.worktrees.prepare(ref(), FRESH);
  await harness.loseDirectory(NAME);
  const missing = { code: "missing_worktree", advice: expect.stringContaining("Prepare the worktree") };
  await expect(commit()).rejects.toMatchObject(missing);
  await expect(harness.worktrees.checkpoint(ref())).rejects.toMatchObject(missing);
  expect(await harness.worktrees.status(ref())).toMatchObject({ exists: false, head });
  expect(await harness.serverHead(ref().branch)).toBeNull();
  expect(await harness.worktrees.prepare(ref(), FRESH)).toMatchObject({ head });
  expect(await harness.read(NAME, "README.md")).toBe(FILES["README.md"]);
});

const objects = async () => {
  const files = await readdir(join(harness.mirror, "objects"), { recursive: true });
  return files
    .filter((file) => /^[0-9a-f]{2}\/./.test(file))
    .map((file) => join(harness.mirror, "objects", file));
};

it("a mirror that has lost its objects fetches them again", async () => {
  const { head } = await harness.worktrees.prepare(ref(), FRESH);
  for (const path of await objects()) await rm(path);
  expect(await harness.restart().worktrees.prepare(other(), FRESH)).toMatchObject({ head });
});

it("a mirror whose objects were cut off says what to do, for a person decides about what lies in it", async () => {
  await harness.worktrees.prepare(ref(), FRESH);
  for (const path of await objects()) await truncate(path, 5);
  await expect(harness.restart().worktrees.prepare(other(), FRESH)).rejects.toMatchObject({
    code: "corrupt",
    consequence: "tell",
    advice: expect.stringContaining("Unpushed commits lie in it"),
  });
});

it("a base branch that a person has rewritten takes no commit from the agent, and is merged like any other", async () => {
  const git = (...args: string[]) => harness.server.git("octo/app", ...args);
  const theirs = await harness.serverCommit("other", { "src/c.txt": "rewritten\n" });
  await harness.serverCommit("main", { "src/gone.txt": "not in the history for long\n" });
  await harness.worktrees.prepare(ref(), FRESH);
  await harness.write(NAME, "made.txt", "made\n");
  const made = await commit();
  await harness.worktrees.push(ref());
  await git("update-ref", "refs/heads/main", theirs);
  const again = harness.restart().worktrees;
  expect(await again.prepare(ref(), FRESH)).toMatchObject({ origin: "existing", head: made?.commit });
  expect(await again.behind(ref(), "main")).toMatchObject({ conflicts: [] });
  const options = { branch: ref().branch, base: "main", expected: made?.commit ?? "", author: AUTHOR };
  expect(await again.updateBranch(harness.repository, options)).toMatchObject({ kind: "updated" });
  expect(await git("show", `${ref().branch}:made.txt`)).toBe("made");
  expect(await git("show", `${ref().branch}:src/c.txt`)).toBe("rewritten");
});
