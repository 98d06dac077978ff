import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness, TOKEN } from "./real-harness.ts";

const SECRET = "what no other agent may read";

describe("What is read of an agent's files", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const commit = (tree?: string) =>
    harness.worktrees.commit(ref(), { message: "work", author: AUTHOR, ...(tree ? { tree } : {}) });
  const objects = () => plainGit(harness.mirror, ["cat-file", "--batch", "--batch-all-objects"]);
  const scratch = () => join(harness.dataDir, "git", "scratch");

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
  });
  afterEach(() => harness.close());

  it("is in no object that agents read before it is committed, then all of it is", async () => {
    writeFileSync(join(path, "secret.txt"), `${SECRET}\n`);
    const { tree } = await harness.worktrees.pending(ref(), 10_000);
    await harness.worktrees.tree(ref());
    await harness.worktrees.status(ref());
    await expect(commit("0".repeat(40))).rejects.toMatchObject({ code: "tree_moved" });
    expect(await objects()).not.toContain(SECRET);
    expect(readdirSync(scratch())).toEqual([]);
    await commit(tree);
    expect(await objects()).toContain(SECRET);
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true });
  });

  it("leaves the worktree's index as it was while nothing is committed", async () => {
    writeFileSync(join(path, "new.txt"), "new\n");
    await expect(commit("0".repeat(40))).rejects.toMatchObject({ code: "tree_moved" });
    expect(await plainGit(path, ["diff", "--cached", "--name-only"])).toBe("");
    expect(await plainGit(path, ["status", "--porcelain"])).toBe("?? new.txt");
  });

  it("is whole in the mirror after a commit of few and of many files", async () => {
    for (const count of [3, 300]) {
      mkdirSync(join(path, `of-${count}`));
      for (let at = 0; at < count; at += 1)
        writeFileSync(join(path, `of-${count}`, `${at}`), `${count} ${at}\n`);
      const made = await commit();
      await plainGit(harness.mirror, ["fsck", "--full", "--strict", made?.commit ?? ""]);
      expect(
        await plainGit(harness.mirror, ["ls-tree", "-r", "--name-only", `${made?.commit}:of-${count}`]),
      ).toHaveLength(Array.from({ length: count }, (_, at) => String(at)).join("\n").length);
    }
    const packs = () =>
      readdirSync(join(harness.mirror, "objects", "pack")).filter((name) => name.endsWith(".pack"));
    expect(packs()).toHaveLength(1);
    // git writes an object for each, however many they are.
    for (let at = 0; at < 300; at += 1) symlinkSync(`to-${at}`, join(path, `link-${at}`));
    const made = await commit();
    await plainGit(harness.mirror, ["fsck", "--full", "--strict", made?.commit ?? ""]);
    expect(packs()).toHaveLength(2);
  });

  it("is told as locked where a git of the agent's holds the index, and committed afterwards", async () => {
    const lock = join(harness.mirror, "worktrees", "dev-issue-1", "index.lock");
    writeFileSync(join(path, "new.txt"), "new\n");
    writeFileSync(lock, "");
    await expect(commit()).rejects.toMatchObject({ code: "locked", consequence: "retry" });
    rmSync(lock);
    expect(await commit()).not.toBeNull();
  });

  it("is removed at the next start where an operation did not end", async () => {
    const left = join(scratch(), "quarantine-left", "objects");
    mkdirSync(left, { recursive: true });
    const child = join(import.meta.dirname, "crash-child.ts");
    await promisify(execFile)(process.execPath, [child, harness.dataDir, harness.server.url, TOKEN]);
    expect(readdirSync(scratch())).toEqual([]);
  });
});
