import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

describe("Whatever an agent does with git in its shell:", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const commit = (message = "work") => harness.worktrees.commit(ref(), { message, author: AUTHOR });
  const onServer = (...args: string[]) => harness.server.git(harness.fullName, ...args);

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
  });
  afterEach(() => harness.close());

  it("its own commits on the branch are kept and pushed", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    await plainGit(path, ["add", "a.txt"]);
    await plainGit(path, ["commit", "--quiet", "-m", "by the agent"]);
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true, pushed: false });
    expect(await commit()).toBeNull();
    await harness.worktrees.push(ref());
    expect(await onServer("log", "-1", "--format=%s", ref().branch)).toBe("by the agent");
  });

  it("a commit goes to its own branch although it checked out another", async () => {
    await plainGit(path, ["checkout", "--quiet", "-b", "elsewhere"]);
    await writeFile(join(path, "a.txt"), "a\n");
    const made = await commit();
    expect(await harness.worktrees.push(ref())).toEqual(made);
    expect(await plainGit(path, ["branch", "--show-current"])).toBe(ref().branch);
    expect(harness.logged.map(({ message }) => message)).toContain("HEAD restored to the agent's branch");
  });

  it("a commit carries the message, author and committer as given, also lines that look like comments", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    await commit("title\n\n# kept\n");
    expect(await plainGit(path, ["log", "-1", "--format=%an|%ae|%cn|%ce|%B"])).toBe(
      "An agent|agent@example.com|An agent|agent@example.com|title\n\n# kept",
    );
  });

  it("a merge that it began is committed with both parents", async () => {
    const later = await harness.serverCommit("main", { "later.txt": "l\n" });
    await harness.worktrees.prepare(ref(), FRESH);
    await writeFile(join(path, "a.txt"), "a\n");
    const mine = await commit();
    await plainGit(path, ["merge", "--quiet", "--no-commit", "--no-ff", later]);
    await commit();
    expect(await plainGit(path, ["log", "-1", "--format=%P"])).toBe(`${mine?.commit} ${later}`);
    const { baseCommit } = await harness.worktrees.prepare(ref(), FRESH);
    expect(baseCommit).toBe(later);
    expect((await harness.worktrees.diff(ref(), baseCommit, 100)).files).toEqual(["a.txt"]);
  });

  it("many nested repositories are counted in the log, and ten are named", async () => {
    await plainGit(path, ["init", "--quiet", "n0"]);
    for (let at = 1; at < 12; at += 1) await cp(join(path, "n0"), join(path, `n${at}`), { recursive: true });
    await harness.worktrees.checkpoint(ref());
    const fields = harness.logged.find(({ message }) => message.startsWith("nested"))?.fields;
    expect(fields).toMatchObject({ count: 12, nested: { length: 10 } });
  });

  it("a nested repository is left out of commits and checkpoints, and hinders none", async () => {
    const empty = join(path, "empty");
    const full = join(path, "full");
    for (const directory of [empty, full]) {
      await mkdir(directory);
      await plainGit(directory, ["init", "--quiet", "."]);
    }
    await plainGit(full, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
    await writeFile(join(path, "a.txt"), "a\n");
    expect(await harness.worktrees.checkpoint(ref())).not.toBeNull();
    await commit();
    expect(await plainGit(path, ["ls-tree", "-r", "--name-only", "HEAD"])).toBe(
      "README.md\na.txt\nsrc/a.txt\nsrc/b.txt",
    );
    expect(await harness.worktrees.status(ref())).toMatchObject({
      clean: false,
      changed: ["empty/", "full/"],
    });
  });

  it("a directory in place of a file and a link in place of a directory are committed as they are", async () => {
    await rm(join(path, "README.md"));
    await mkdir(join(path, "README.md"));
    await writeFile(join(path, "README.md", "inner.txt"), "i\n");
    await rm(join(path, "src"), { recursive: true });
    await symlink("README.md", join(path, "src"));
    await commit();
    expect(await plainGit(path, ["ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD"])).toBe(
      "100644 README.md/inner.txt\n120000 src",
    );
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true });
  });

  it("ignored files are not saved, and a directory is restored without touching them", async () => {
    await writeFile(join(path, ".gitignore"), "*.log\n");
    await commit();
    await writeFile(join(path, "src", "run.log"), "log\n");
    await writeFile(join(path, "src", "new.txt"), "n\n");
    expect(await harness.worktrees.status(ref())).toMatchObject({ changed: ["src/new.txt"] });
    await harness.worktrees.restore(ref(), ["src"]);
    expect(await readFile(join(path, "src", "run.log"), "utf8")).toBe("log\n");
    expect(existsSync(join(path, "src", "new.txt"))).toBe(false);
  });

  it("restore follows no link out of the worktree", async () => {
    const outside = join(harness.dataDir, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "file.txt"), "precious\n");
    await symlink(outside, join(path, "door"));
    await expect(harness.worktrees.restore(ref(), ["door/file.txt"])).rejects.toMatchObject({
      code: "path_outside",
    });
    await harness.worktrees.restore(ref(), ["door"]);
    expect(existsSync(join(path, "door"))).toBe(false);
    expect(await readFile(join(outside, "file.txt"), "utf8")).toBe("precious\n");
  });

  it("a name that git could take for a pattern is restored to the letter", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    await commit();
    await writeFile(join(path, "*.txt"), "star\n");
    await harness.worktrees.restore(ref(), ["*.txt"]);
    expect(await harness.worktrees.status(ref())).toMatchObject({ changed: [] });
    expect(existsSync(join(path, "a.txt"))).toBe(true);
  });

  it("two worktrees cannot share a branch, until the directory of the first is gone", async () => {
    const second = { ...ref(), name: "dev-issue-1.2" };
    await expect(harness.worktrees.prepare(second, FRESH)).rejects.toMatchObject({
      code: "branch_in_use",
      consequence: "retry",
    });
    await writeFile(join(path, "a.txt"), "a\n");
    const made = await commit();
    await harness.loseDirectory("dev-issue-1");
    expect(await harness.worktrees.prepare(second, FRESH)).toMatchObject({ head: made?.commit });
  });
});
