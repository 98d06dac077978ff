import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { heldWork } from "../../../src/domain/tasks/held-work.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const TOKEN = "ghp_abcdefghijklmnopqrst";
const LIMIT = 100_000;

describe("What the next push would bring to the server", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const pending = () => harness.worktrees.pending(ref(), LIMIT);
  const reasons = async () => heldWork(await pending(), [], redactor([])).reasons;

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
  });
  afterEach(() => harness.close());

  it("is told with mode, size and where links lead, and nothing of it is followed or waited for", async () => {
    await mkdir(join(path, "deep/er"), { recursive: true });
    await writeFile(join(path, "run.sh"), "#!/bin/sh\n");
    await chmod(join(path, "run.sh"), 0o755);
    await symlink("/etc/passwd", join(path, "out"));
    await symlink("../../README.md", join(path, "deep/er/in"));
    execFileSync("env", ["mkfifo", join(path, "pipe")]);
    const { files, paths, patch } = await pending();
    expect(files).toEqual([
      { path: "deep/er/in", mode: "120000", before: null, bytes: 15, link: "../../README.md" },
      { path: "out", mode: "120000", before: null, bytes: 11, link: "/etc/passwd" },
      { path: "run.sh", mode: "100755", before: null, bytes: 10, link: null },
    ]);
    expect(paths).toEqual(expect.arrayContaining(["out", "run.sh", "deep/er/in"]));
    expect(paths).not.toContain("pipe");
    expect(patch).toContain("+#!/bin/sh".slice(1));
    expect(patch).not.toContain("root:");
    expect(await reasons()).toEqual([{ path: "out", why: "a link that leads out of the repository" }]);
  });

  it("has where each of many links leads, whatever text that is", async () => {
    const targets = [
      "a\n",
      "\n",
      "a b",
      "größer",
      "x\n0123456789012345678901234567890123456789 blob 3\n",
      "same",
      "same",
    ];
    for (const [index, target] of targets.entries()) await symlink(target, join(path, `l${index}`));
    expect((await pending()).files.map(({ link }) => link)).toEqual(targets);
  });

  it("has the links to other repositories that an agent put into its index or its own commit", async () => {
    const head = await plainGit(path, ["rev-parse", "HEAD"]);
    await plainGit(path, ["update-index", "--add", "--cacheinfo", `160000,${head},lib`]);
    await plainGit(path, ["commit", "--quiet", "-m", "by the agent"]);
    expect(await reasons()).toContainEqual({ path: "lib", why: "another repository within this one" });
  });

  it("holds a secret also where a commit of the agent's own took it out again", async () => {
    await writeFile(join(path, "a.txt"), `key ${TOKEN}\n`);
    await plainGit(path, ["add", "a.txt"]);
    await plainGit(path, ["commit", "--quiet", "-m", "in"]);
    await writeFile(join(path, "a.txt"), "none\n");
    await plainGit(path, ["commit", "--quiet", "-am", "out"]);
    expect(await reasons()).toEqual([{ path: "the change", why: "something in it looks like a secret" }]);
  });

  it("holds a secret in a file that is no text", async () => {
    await writeFile(join(path, "a.bin"), `\0\0${TOKEN}\0`);
    expect(await reasons()).toEqual([{ path: "the change", why: "something in it looks like a secret" }]);
  });

  it("is only what the server lacks: not what was pushed, not what was merged from the base", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    const first = await pending();
    await harness.worktrees.commit(ref(), { message: "a", author: AUTHOR, tree: first.tree });
    await harness.worktrees.push(ref());
    const later = await harness.serverCommit("main", { "later.txt": `${TOKEN}\n` });
    await harness.worktrees.prepare(ref(), FRESH);
    await plainGit(path, ["merge", "--quiet", "--no-commit", "--no-ff", later]);
    await writeFile(join(path, "b.txt"), "b\n");
    const { files } = await pending();
    expect(files.map((file) => file.path)).toEqual(["b.txt"]);
  });

  it("is the same once more when a merge of the base was committed and its push has failed", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    await harness.worktrees.commit(ref(), { message: "a", author: AUTHOR });
    await harness.worktrees.push(ref());
    await harness.serverCommit("main", { ".github/ci.yml": "theirs\n" });
    await harness.worktrees.bringIn(ref(), "main");
    await writeFile(join(path, "b.txt"), `${TOKEN}\n`);
    const before = await pending();
    expect(before.files.map((file) => file.path)).toEqual(["b.txt"]);
    await harness.worktrees.commit(ref(), { message: "b", author: AUTHOR });
    harness.server.answerWith(503);
    await expect(harness.worktrees.push(ref())).rejects.toMatchObject({ code: "network" });
    harness.server.answerWith(null);
    expect(await pending()).toEqual(before);
    expect(await reasons()).toEqual([{ path: "the change", why: "something in it looks like a secret" }]);
  });

  it("leaves the patch out where the files are too much", async () => {
    await writeFile(join(path, "a.txt"), "a".repeat(LIMIT + 1));
    expect((await pending()).patch).toBe("");
  });

  it("is not committed when it is not what was looked at", async () => {
    await writeFile(join(path, "a.txt"), "a\n");
    const { tree } = await pending();
    await writeFile(join(path, "a.txt"), "b\n");
    const commit = harness.worktrees.commit(ref(), { message: "a", author: AUTHOR, tree });
    await expect(commit).rejects.toMatchObject({ code: "tree_moved", consequence: "retry" });
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: false });
  });

  it("stays on the host in a checkpoint that is not to be pushed", async () => {
    await writeFile(join(path, "a.txt"), `${TOKEN}\n`);
    const saved = await harness.worktrees.checkpoint(ref(), { push: false });
    expect(saved).toMatchObject({ pushed: false });
    const refs = await harness.server.git(harness.fullName, "for-each-ref", "--format=%(refname)");
    expect(refs).not.toContain("checkpoints");
  });
});
