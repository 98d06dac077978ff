import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Isolation } from "../../../src/domain/ports/runner.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { isolationHere } from "./isolation-here.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const LIMIT = 100_000;

describe("What a look has read", { timeout: 60_000 }, () => {
  let first: RealHarness;
  let harness: RealHarness;
  let path: string;
  /** How often git was asked to take files in. */
  let reads: number;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const look = () => harness.worktrees.pending(ref(), LIMIT);
  const commit = (tree: string) => harness.worktrees.commit(ref(), { message: "work", author: AUTHOR, tree });
  const scratch = () => readdirSync(join(harness.dataDir, "git", "scratch"));

  beforeEach(async () => {
    first = await realHarness();
    harness = first.restart({ isolation: counting(isolationHere(first.dataDir)) });
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
    mkdirSync(join(path, "many"));
    for (let at = 0; at < 150; at += 1) writeFileSync(join(path, "many", `${at}`), `${at}\n`);
    writeFileSync(join(path, ".gitignore"), "ignored\n");
    writeFileSync(join(path, "ignored"), "ignored\n");
    reads = 0;
  });
  afterEach(() => first.close());

  function counting(isolation: Isolation): Isolation {
    const confine: Isolation["confine"] = (command, mounts) => {
      if (command.args.includes("update-index") && command.args.includes("--stdin")) reads += 1;
      return isolation.confine(command, mounts);
    };
    return { ...isolation, confine };
  }

  it("is committed, looked at and kept again without reading it twice, and whole in the mirror", async () => {
    const { tree } = await look();
    expect(reads).toBe(1);
    expect(await harness.worktrees.tree(ref())).toBe(tree);
    expect((await look()).tree).toBe(tree);
    const made = await commit(tree);
    expect(reads).toBe(1);
    await plainGit(harness.mirror, ["fsck", "--full", "--strict", made?.commit ?? ""]);
    expect(await plainGit(harness.mirror, ["show", `${made?.commit}:many/149`])).toBe("149");
    expect(await harness.worktrees.status(ref())).toMatchObject({ clean: true });
  });

  it("is read again where a file has changed, came or went since", async () => {
    const changes = [
      () => writeFileSync(join(path, "many/1"), "x\n"),
      () => writeFileSync(join(path, "new"), "new\n"),
      () => rmSync(join(path, "many/2")),
    ];
    for (const change of changes) {
      const { tree } = await look();
      change();
      await expect(commit(tree)).rejects.toMatchObject({ code: "tree_moved" });
    }
    const { tree } = await look();
    writeFileSync(join(path, "new"), "wen\n");
    expect(await harness.worktrees.tree(ref())).not.toBe(tree);
  });

  it("is read again where the agent has written its own index since", async () => {
    const { tree } = await look();
    await plainGit(path, ["add", "--force", "ignored"]);
    await expect(commit(tree)).rejects.toMatchObject({ code: "tree_moved" });
    expect((await look()).paths).toContain("ignored");
  });

  it("is more than a smaller limit lets be read", async () => {
    await look();
    const { tree, files } = await harness.worktrees.pending(ref(), 10);
    expect(tree).toMatch(/^unread:/);
    expect(files).toHaveLength(151);
  });

  it("is kept once for each worktree, and not beyond a commit, a checkpoint or the worktree itself", async () => {
    const { tree } = await look();
    writeFileSync(join(path, "new"), "new\n");
    await look();
    expect(scratch()).toHaveLength(1);
    await expect(commit(tree)).rejects.toMatchObject({ code: "tree_moved" });
    expect(scratch()).toEqual([]);
    await look();
    await harness.worktrees.checkpoint(ref(), { push: false });
    expect(scratch()).toEqual([]);
    await harness.worktrees.tree(ref());
    expect(scratch()).toHaveLength(1);
    await harness.worktrees.remove(ref(), { base: "main" });
    expect(scratch()).toEqual([]);
  });
});
