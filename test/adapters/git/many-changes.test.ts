import { existsSync, statSync } from "node:fs";
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { meeting } from "../../../src/adapters/git/worktree/nested.ts";
import type { Isolation } from "../../../src/domain/ports/runner.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { randomOf } from "../../random.ts";
import { isolationHere } from "./isolation-here.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

/** As if git had found them. */
function many(isolation: Isolation): Isolation {
  return {
    ...isolation,
    confine: async (command, mounts) =>
      command.args.includes("status")
        ? { ...command, file: "/bin/sh", args: ["-c", "seq -f '?? file-%.0f' 999999999"], cwd: "/" }
        : isolation.confine(command, mounts),
  };
}

describe("A worktree in which millions of files changed", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });

  beforeEach(async () => {
    harness = await realHarness();
    await harness.worktrees.prepare(ref(), FRESH);
  });
  afterEach(() => harness.close());

  it("is said to have too many for a commit, and the status has the first of them", async () => {
    const { worktrees } = harness.restart({ isolation: many(isolationHere(harness.dataDir)) });
    const tooMany = {
      code: "too_many_changes",
      consequence: "tell",
      message: "more than 250,000 files changed",
    };
    await expect(worktrees.pending(ref(), 1_000)).rejects.toMatchObject(tooMany);
    await expect(worktrees.checkpoint(ref(), { push: false })).rejects.toMatchObject(tooMany);
    const { clean, changed } = await worktrees.status(ref());
    expect([clean, changed.length, changed[0], changed[99]]).toEqual([false, 100, "file-1", "file-100"]);
  });

  it("ends with its commits in a bundle and its directory beside it, whatever mode that has", async () => {
    await harness.write("dev-issue-1", "committed.txt", "c\n");
    await harness.worktrees.commit(ref(), { message: "work", author: AUTHOR });
    await harness.write("dev-issue-1", "unsaved.txt", "u\n");
    await chmod(harness.directory("dev-issue-1"), 0o500);
    const { worktrees } = harness.restart({ isolation: many(isolationHere(harness.dataDir)) });
    const removed = await worktrees.remove(ref(), { base: "main" });
    const { path = "", files = "" } = removed.archive ?? {};
    expect(files).toBe(path.replace(".bundle", ".files"));
    expect(await readFile(join(harness.dataDir, files, "unsaved.txt"), "utf8")).toBe("u\n");
    await plainGit(harness.mirror, ["bundle", "verify", "--quiet", join(harness.dataDir, path)]);
    expect(
      await plainGit(harness.mirror, ["ls-tree", "--name-only", "refs/flotilla/archives/dev-issue-1"]),
    ).toContain("committed.txt");
    expect(await readdir(dirname(harness.directory("dev-issue-1")))).toEqual([]);
    expect(await readdir(join(harness.mirror, "worktrees"))).toEqual([]);
    expect(await worktrees.remove(ref(), { base: "main" })).toEqual(removed);
    await worktrees.forget(ref());
    expect(await readdir(join(harness.dataDir, "archives", "4711"))).toEqual([]);
  });

  it("ends so where nothing is committed, after a crash between both steps, and when it comes again", async () => {
    for (const content of ["one\n", "two\n"]) {
      await harness.worktrees.prepare(ref(), FRESH);
      await harness.write("dev-issue-1", "unsaved.txt", content);
      const dying = harness.restart({
        isolation: many(isolationHere(harness.dataDir)),
        crashPoint: (name) => {
          if (name === "git:archived") throw new Error("it died here");
        },
      });
      await expect(dying.worktrees.remove(ref(), { base: "main" })).rejects.toThrow("it died here");
      const { archive } = await harness.restart({}).worktrees.remove(ref(), { base: "main" });
      expect(await readFile(join(harness.dataDir, archive?.files ?? "", "unsaved.txt"), "utf8")).toBe(
        content,
      );
    }
    const kept = join(harness.dataDir, "archives", "4711", "dev-issue-1");
    const all = (await readdir(kept)).filter((name) => name.includes(".files"));
    const contents = all.map((name) => readFile(join(kept, name, "unsaved.txt"), "utf8"));
    expect((await Promise.all(contents)).toSorted()).toEqual(["one\n", "two\n"]);
  });
});

/** A second file system of this machine. */
const OTHER = "/dev/shm";
const hasOther = existsSync(OTHER) && statSync(OTHER).dev !== statSync(tmpdir()).dev;

it.runIf(hasOther)("stays, and says why, where the archives are on another file system", async () => {
  const harness = await realHarness();
  const other = await mkdtemp(join(OTHER, "flotilla-archives-"));
  try {
    const ref = { repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" };
    await harness.worktrees.prepare(ref, FRESH);
    const { worktrees } = harness.restart({ isolation: many(isolationHere(harness.dataDir)) });
    await worktrees.remove(ref, { base: "main" });
    const archive = join(harness.dataDir, "archives", "4711", "dev-issue-1");
    await cp(archive, join(other, "dev-issue-1"), { recursive: true });
    await rm(archive, { recursive: true });
    await symlink(join(other, "dev-issue-1"), archive);
    await worktrees.prepare(ref, FRESH);
    await harness.write("dev-issue-1", "unsaved.txt", "u\n");
    await expect(worktrees.remove(ref, { base: "main" })).rejects.toMatchObject({
      code: "other_file_system",
      consequence: "stop",
    });
    expect(await readFile(join(harness.directory("dev-issue-1"), "unsaved.txt"), "utf8")).toBe("u\n");
  } finally {
    await rm(other, { recursive: true });
    await harness.close();
  }
});

const naive = (nested: readonly string[], files: readonly string[]) =>
  nested.filter((path) => files.some((file) => `${file}/`.startsWith(path) || path.startsWith(`${file}/`)));

describe("Nested repositories in the place of files", () => {
  it("are found as by comparing each with each", () => {
    const random = randomOf(16);
    const path = () =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => "ab-c."[Math.floor(random() * 5)]).join("/");
    for (let round = 0; round < 500; round += 1) {
      const all = Array.from({ length: 8 }, path);
      const files = all.filter(
        (file) => !all.some((other) => file !== other && file.startsWith(`${other}/`)),
      );
      const nested = Array.from({ length: 8 }, () => `${path()}/`);
      expect(meeting(nested, files)).toEqual(naive(nested, files));
    }
  });

  it("are found among hundreds of thousands", () => {
    const files = Array.from({ length: 300_000 }, (_, index) => `d${index}/file`);
    const nested = Array.from({ length: 300_000 }, (_, index) => `n${index}/`);
    expect(meeting([...nested, "d7/", "d8/file/x/"], files)).toEqual(["d7/", "d8/file/x/"]);
  });
});
