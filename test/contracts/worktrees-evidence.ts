import { lstat } from "node:fs/promises";
import { basename } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { WorktreeRef } from "../../src/domain/ports/worktrees.ts";
import { AUTHOR, FRESH, type WorktreesHarness } from "./worktrees-harness.ts";

const text = (given: string) => ({ kind: "text", text: given, id: expect.any(String) });
const BRANCH = "flotilla/dev/issue-1";

/** What a claim of completion is judged by. `made` gives the harness once it stands. */
export function worktreesEvidenceContract(made: () => WorktreesHarness): void {
  let harness: WorktreesHarness;
  let ref: WorktreeRef;
  beforeEach(() => {
    harness = made();
    ref = { repository: harness.repository, name: "dev-issue-1", branch: BRANCH };
  });

  /** Changes a file and commits it; with `push` the server has it too. */
  async function work(path: string, push: boolean): Promise<string> {
    await harness.worktrees.prepare(ref, FRESH);
    await harness.write(ref.name, path, "work\n");
    const { commit } = (await harness.worktrees.commit(ref, { message: "m", author: AUTHOR })) ?? {
      commit: "",
    };
    if (push) await harness.worktrees.push(ref);
    return commit;
  }
  const inspect = (commit: string) => harness.worktrees.inspect(ref, { commit, base: "main" });

  const list = (commit: string, ...patterns: string[]) =>
    harness.worktrees.filesAt(harness.repository, commit, { patterns, most: 100 });

  describe("files of a commit", () => {
    it("lists those that a pattern names, at any depth, in order, with their sizes", async () => {
      const commit = await harness.serverCommit("main", {
        "AGENTS.md": "At the top: é\n",
        "src/deep/er/AGENTS.md": "Deep.\n",
        "src/AGENTS.md.txt": "Another.\n",
        ".github/x/a.rules.md": "a",
        ".github/x/y/b.rules.md": "b",
      });
      await harness.worktrees.prepare(ref, FRESH);
      const found = await list(commit, "**/AGENTS.md", ".github/x/**/*.rules.md");
      expect(found.map(({ path, kind, bytes }) => [path, kind, bytes])).toEqual([
        [".github/x/a.rules.md", "file", 1],
        [".github/x/y/b.rules.md", "file", 1],
        ["AGENTS.md", "file", 15],
        ["src/deep/er/AGENTS.md", "file", 6],
      ]);
      const { repository, worktrees } = harness;
      expect(await worktrees.filesAt(repository, commit, { patterns: ["**/AGENTS.md"], most: 1 })).toEqual(
        found.filter(({ path }) => path === "AGENTS.md"),
      );
    });

    it("reads them as they are in the commit, whatever the directory and the branch hold", async () => {
      const commit = await harness.serverCommit("main", { "AGENTS.md": "Base: é\n" });
      await harness.worktrees.prepare(ref, FRESH);
      await harness.write(ref.name, "AGENTS.md", "Branch\n");
      await harness.worktrees.commit(ref, { message: "m", author: AUTHOR });
      const [file] = await list(commit, "**/AGENTS.md");
      const read = (most: number) => harness.worktrees.blob(harness.repository, file?.blob ?? "", most);
      expect(await read(1000)).toBe("Base: é\n");
      expect(await read(4)).toBe("Base");
    });

    it("reads several whole contents at once, by their hashes", async () => {
      const commit = await harness.serverCommit("main", { "a.md": "A: é\n\n", "b.md": "", "c.md": "no end" });
      await harness.worktrees.prepare(ref, FRESH);
      const found = await list(commit, "*.md");
      const blobs = found.filter(({ path }) => path.length === 4).map(({ blob }) => blob);
      const texts = await harness.worktrees.texts(harness.repository, blobs);
      expect(blobs.map((blob) => texts.get(blob))).toEqual(["A: é\n\n", "", "no end"]);
      expect(await harness.worktrees.texts(harness.repository, [])).toEqual(new Map());
    });

    it("finds nothing where no pattern matches, and refuses a commit that is not there", async () => {
      const { baseCommit } = await harness.worktrees.prepare(ref, FRESH);
      expect(await list(baseCommit, "**/AGENTS.md")).toEqual([]);
      await expect(list("f".repeat(40), "**/AGENTS.md")).rejects.toMatchObject({ name: "GitError" });
    });
  });

  describe("inspect", () => {
    it("tells the branch's head on the server and the files that the commit changes", async () => {
      const commit = await work("src/new.txt", true);
      expect(await inspect(commit)).toEqual({ server: commit, serverBehind: false, files: ["src/new.txt"] });
    });

    it("tells that the server has no such branch, or an older commit of it", async () => {
      const first = await work("one.txt", false);
      expect(await inspect(first)).toMatchObject({ server: null, serverBehind: false });
      await harness.worktrees.push(ref);
      const second = await work("two.txt", false);
      expect(await inspect(second)).toEqual({
        server: first,
        serverBehind: true,
        files: ["one.txt", "two.txt"],
      });
    });

    it("asks the server each time: what somebody else pushed is seen", async () => {
      const commit = await work("one.txt", true);
      const theirs = await harness.serverCommit(BRANCH, { "theirs.txt": "t\n" });
      expect(await inspect(commit)).toEqual({ server: theirs, serverBehind: false, files: ["one.txt"] });
    });

    it("counts only the branch's own changes after the base continued", async () => {
      const commit = await work("one.txt", true);
      await harness.serverCommit("main", { "later.txt": "l\n" });
      expect((await inspect(commit)).files).toEqual(["one.txt"]);
    });

    it("finds no change in a commit of the base", async () => {
      const { head } = await harness.worktrees.prepare(ref, FRESH);
      expect((await inspect(head)).files).toEqual([]);
    });
  });

  describe("changedFiles", () => {
    const BOUNDS = { files: 10, fileBytes: 1000, bytes: 10_000 };
    const read = (commit: string, wanted: (path: string) => boolean = () => true) =>
      harness.worktrees.changedFiles(ref, { commit, base: "main", wanted, bounds: BOUNDS });

    it("reads what the commit changes before and after, whatever the base has since", async () => {
      await harness.worktrees.prepare(ref, FRESH);
      await harness.write(ref.name, "src/a.txt", null);
      await harness.write(ref.name, "src/größe \u200b.txt", "new\r\n");
      const commit = await work("src/b.txt", false);
      await harness.serverCommit("main", { "src/a.txt": "later\n" });
      expect(await read(commit)).toEqual([
        { path: "src/a.txt", before: text("a\n"), after: null },
        { path: "src/b.txt", before: text("b\n"), after: text("work\n") },
        { path: "src/größe \u200b.txt", before: null, after: text("new\r\n") },
      ]);
      expect(await read(commit, (path) => path.endsWith("b.txt"))).toHaveLength(1);
    });

    it("gives equal content equal ids", async () => {
      await harness.worktrees.prepare(ref, FRESH);
      await harness.write(ref.name, "src/a.txt", null);
      await harness.write(ref.name, "moved.txt", "a\n");
      const found = await read(await work("other.txt", false));
      const idOf = (path: string) => found.find((file) => file.path === path);
      expect(idOf("moved.txt")?.after?.id).toBe(idOf("src/a.txt")?.before?.id);
      expect(idOf("other.txt")?.after?.id).not.toBe(idOf("moved.txt")?.after?.id);
    });
  });

  const behind = () => harness.worktrees.behind(ref, "main");

  describe("behind", () => {
    it("finds nothing while the base stands still", async () => {
      await work("src/a.txt", false);
      expect(await behind()).toEqual({ commits: 0, touching: [], conflicts: [] });
    });

    it("counts the base's new commits, and tells those that touch the work's files and where they conflict", async () => {
      await work("src/a.txt", false);
      await harness.serverCommit("main", { "later.txt": "l\n" });
      const theirs = await harness.serverCommit("main", { "src/a.txt": "theirs\n" });
      await harness.serverCommit("main", { "README.md": "new\n" });
      await harness.worktrees.prepare(ref, FRESH);
      expect(await behind()).toMatchObject({
        commits: 3,
        touching: [{ commit: theirs }],
        conflicts: ["src/a.txt"],
      });
    });

    it("predicts no conflict where both changed a file to the same text, or different files", async () => {
      await work("src/a.txt", false);
      await harness.serverCommit("main", { "src/a.txt": "work\n", "src/b.txt": "theirs\n" });
      await harness.worktrees.prepare(ref, FRESH);
      expect(await behind()).toMatchObject({ commits: 1, conflicts: [] });
    });

    it("counts work that only a checkpoint holds, and changes nothing that the agent has", async () => {
      await harness.worktrees.prepare(ref, FRESH);
      await harness.write(ref.name, "src/b.txt", "mine\n");
      await harness.worktrees.checkpoint(ref);
      await harness.serverCommit("main", { "src/b.txt": "theirs\n" });
      await harness.worktrees.prepare(ref, FRESH);
      expect((await behind()).conflicts).toEqual(["src/b.txt"]);
      expect(await harness.worktrees.status(ref)).toMatchObject({ changed: ["src/b.txt"] });
      expect(await harness.read(ref.name, "src/b.txt")).toBe("mine\n");
    });

    it("is refused for a base that is not there", async () => {
      await work("one.txt", false);
      await expect(harness.worktrees.behind(ref, "gone")).rejects.toMatchObject({ code: "base_not_found" });
    });
  });

  describe("digest", () => {
    it("stays while nothing changes, and changes with a file that is named", async () => {
      await harness.worktrees.prepare(ref, FRESH);
      const digest = () => harness.worktrees.digest(ref, ["README.md", "a.lock"]);
      const first = await digest();
      await harness.write(ref.name, "other.txt", "o\n");
      expect(await digest()).toBe(first);
      await harness.write(ref.name, "README.md", "one\nTWO\n");
      const second = await digest();
      await harness.write(ref.name, "a.lock", "");
      expect(new Set([first, second, await digest()]).size).toBe(3);
    });

    it("changes when the directory was made again", async () => {
      await harness.worktrees.prepare(ref, FRESH);
      const before = await harness.worktrees.digest(ref, []);
      await harness.loseDirectory(ref.name);
      await harness.worktrees.prepare(ref, FRESH);
      expect(await harness.worktrees.digest(ref, [])).not.toBe(before);
    });
  });

  describe("a clean checkout", () => {
    it("stands beside the worktree, with a home of its own, and is removed as often as one likes", async () => {
      const commit = await work("one.txt", false);
      const { path, home } = await harness.worktrees.checkout(ref, commit);
      expect(basename(path)).toBe("dev-issue-1.checkout");
      expect(home).not.toBe(path);
      await harness.worktrees.removeCheckout(ref);
      await harness.worktrees.removeCheckout(ref);
      await expect(lstat(path)).rejects.toMatchObject({ code: "ENOENT" });
      expect(await harness.worktrees.status(ref)).toMatchObject({ exists: true, head: commit });
    });

    it("is refused for a commit that is not there", async () => {
      await work("one.txt", false);
      await expect(harness.worktrees.checkout(ref, "0".repeat(40))).rejects.toMatchObject({
        code: "commit_missing",
        consequence: "stop",
      });
    });
  });
}
