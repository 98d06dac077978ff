import { lstat, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { heldWork, MOST_BYTES } from "../../../src/domain/tasks/held-work.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const GIB = 1024 ** 3;
const UNREAD = expect.stringMatching(/^unread:[0-9a-f]{64}$/);

describe("Work that is too much to be read", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const commit = (tree: string) =>
    harness.worktrees.commit(ref(), { message: "large", author: AUTHOR, tree });
  /** A file that says that it is this long, and takes no room. */
  async function sparse(name: string, bytes: number): Promise<void> {
    await writeFile(join(path, name), "");
    await truncate(join(path, name), bytes);
  }

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
  });
  afterEach(() => harness.close());

  it("is held by its size, with all that is changed, and nothing of it is in any object", async () => {
    for (let at = 0; at < 10; at += 1) await sparse(`large-${at}`, GIB);
    await writeFile(join(path, "README.md"), "changed\n");
    const work = await harness.worktrees.pending(ref(), MOST_BYTES);
    expect(work).toMatchObject({ tree: UNREAD, patch: "" });
    expect(work.files).toHaveLength(11);
    const { reasons, mayLeave } = heldWork(work, [], redactor([]));
    expect(mayLeave).toBe(false);
    expect(reasons).toContainEqual({ path: "large-0", why: "1024 MiB in one file" });
    expect(reasons).toContainEqual({ path: "the change", why: "10241 MiB in one commit" });
    expect((await harness.worktrees.pending(ref(), MOST_BYTES)).tree).toBe(work.tree);
    expect(await harness.worktrees.tree(ref())).toBe(work.tree);
    expect(
      await plainGit(harness.mirror, ["cat-file", "--batch-check", "--batch-all-objects"]),
    ).not.toContain(String(GIB));
  });

  it("is told with the kind of each file, and where a link leads counts as not known", async () => {
    await rm(join(path, "src/a.txt"));
    await symlink("README.md", join(path, "link"));
    await writeFile(join(path, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    const { files } = await harness.worktrees.pending(ref(), 5);
    expect(files).toEqual([
      { path: "src/a.txt", mode: null, before: "100644", bytes: 0, link: null },
      { path: "link", mode: "120000", before: null, bytes: 9, link: null },
      { path: "run.sh", mode: "100755", before: null, bytes: 10, link: null },
    ]);
  });

  it("is committed as it was approved", async () => {
    await writeFile(join(path, "large"), "0123456789");
    const { tree } = await harness.worktrees.pending(ref(), 5);
    expect(tree).toEqual(UNREAD);
    const made = await commit(tree);
    expect(await plainGit(harness.mirror, ["show", `${made?.commit}:large`])).toBe("0123456789");
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true });
  });

  it("is not committed when a file changed since, though by size and the time that it claims it did not", async () => {
    await writeFile(join(path, "large"), "0123456789");
    await utimes(join(path, "large"), 1, 1);
    const { tree } = await harness.worktrees.pending(ref(), 5);
    await writeFile(join(path, "large"), "9876543210");
    await utimes(join(path, "large"), 1, 1);
    await expect(commit(tree)).rejects.toMatchObject({ code: "tree_moved" });
  });

  it("is not read by a commit of what was looked at before it grew", async () => {
    await writeFile(join(path, "small"), "small\n");
    const { tree } = await harness.worktrees.pending(ref(), MOST_BYTES);
    for (let at = 0; at < 10; at += 1) await sparse(`large-${at}`, GIB);
    await expect(commit(tree)).rejects.toMatchObject({ code: "tree_moved", consequence: "retry" });
  });

  it("is kept beside the archive, the rest in it", async () => {
    await writeFile(join(path, "small"), "small\n");
    await sparse("large", GIB);
    const { archive } = await harness.worktrees.remove(ref(), { base: "main" });
    expect(archive).not.toBeNull();
    const files = await plainGit(harness.mirror, [
      "ls-tree",
      "-r",
      "--name-only",
      "refs/flotilla/archives/dev-issue-1",
    ]);
    expect(files.split("\n")).toContain("small");
    expect(files.split("\n")).not.toContain("large");
    const kept = join(harness.dataDir, "archives", "4711", "dev-issue-1", "nested", "large");
    expect((await lstat(kept)).size).toBe(GIB);
  });
});
