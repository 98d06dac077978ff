import { describe, expect, it } from "vitest";
import { AUTHOR, FRESH, type WorktreesHarness } from "./worktrees-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";

/** The part of the contract about bringing work and its base branch together. */
export function worktreesIntegrationContract(current: () => WorktreesHarness): void {
  const ref = () => ({ repository: current().repository, name: NAME, branch: BRANCH });
  const write = (path: string, text: string | null) => current().write(NAME, path, text);
  const read = (path: string) => current().read(NAME, path);
  const commit = () => current().worktrees.commit(ref(), { message: "work", author: AUTHOR });
  const push = () => current().worktrees.push(ref());
  const moveMain = (files: Record<string, string>) => current().serverCommit("main", files);
  const update = (expected: string) =>
    current().worktrees.updateBranch(current().repository, {
      branch: BRANCH,
      base: "main",
      expected,
      author: AUTHOR,
    });
  const compared = async (approved: string) => {
    const { worktrees, repository } = current();
    return (await worktrees.compareBranches(repository, "main", [{ branch: BRANCH, approved }]))[0];
  };

  /** Pushed work; returns its commit. */
  async function pushed(files: Record<string, string>): Promise<string> {
    await current().worktrees.prepare(ref(), FRESH);
    for (const [path, text] of Object.entries(files)) await write(path, text);
    await commit();
    return (await push()).commit;
  }

  describe("bringing work and base together", () => {
    it("tells how a branch stands to its base", async () => {
      const approved = await pushed({ "src/a.txt": "mine\n", "new.txt": "n\n" });
      expect(await compared(approved)).toMatchObject({ head: approved, approved: true, current: true });
      const tip = await moveMain({ "src/b.txt": "theirs\n" });
      const apart = await compared(approved);
      expect(apart).toMatchObject({ base: tip, current: false, shared: [], conflicts: [] });
      expect([...(apart?.files ?? [])].toSorted()).toEqual(["new.txt", "src/a.txt"]);
      await moveMain({ "src/a.txt": "theirs\n" });
      expect(await compared(approved)).toMatchObject({ shared: ["src/a.txt"], conflicts: ["src/a.txt"] });
    });

    it("counts the lines that a branch changes since it left its base", async () => {
      const { worktrees, repository } = current();
      const head = await pushed({
        "src/a.txt": "mine\nand more\n",
        "new.bin": "\0\u0001",
        "src/b.txt": "b\nc\n",
      });
      await moveMain({ "src/b.txt": "theirs\n" });
      const base = (await current().serverHead("main")) ?? "";
      await compared(head);
      expect(await worktrees.changeOf(repository, { base, head })).toEqual({
        files: [
          { path: "new.bin", lines: null },
          { path: "src/a.txt", lines: 3 },
          { path: "src/b.txt", lines: 1 },
        ],
        reverted: [],
      });
    });

    it("updates the branch by a merge with both parents, once, and sees that as the approved work", async () => {
      const approved = await pushed({ "new.txt": "n\n" });
      const tip = await moveMain({ "src/b.txt": "theirs\n" });
      const updated = await update(approved);
      const head = await current().serverHead(BRANCH);
      expect(updated).toEqual({ kind: "updated", commit: head });
      expect(await compared(approved)).toMatchObject({ head, approved: true, current: true, base: tip });
      // As after a crash between the push and the note of it.
      expect(await update(approved)).toEqual(updated);
      expect(await update(head ?? "")).toEqual({ kind: "current" });
    });

    it("takes the approval along over several updates, and not over a commit that adds something", async () => {
      const approved = await pushed({ "new.txt": "n\n" });
      await moveMain({ "src/b.txt": "once\n" });
      await update(approved);
      await moveMain({ "src/b.txt": "twice\n" });
      await update((await current().serverHead(BRANCH)) ?? "");
      expect(await compared(approved)).toMatchObject({ approved: true, current: true });
      const more = await current().serverCommit(BRANCH, { "more.txt": "m\n" });
      expect(await compared(approved)).toMatchObject({ head: more, approved: false });
      expect(await update(approved)).toEqual({ kind: "moved", head: more });
    });

    it("pushes nothing where the last question before the push is answered with no", async () => {
      const approved = await pushed({ "new.txt": "n\n" });
      await moveMain({ "src/b.txt": "theirs\n" });
      const { worktrees, repository } = current();
      const how = { branch: BRANCH, base: "main", expected: approved, author: AUTHOR };
      expect(await worktrees.updateBranch(repository, { ...how, mayPush: async () => false })).toEqual({
        kind: "held",
      });
      expect(await current().serverHead(BRANCH)).toBe(approved);
      expect(await worktrees.updateBranch(repository, { ...how, mayPush: async () => true })).toMatchObject({
        kind: "updated",
      });
    });

    it("leaves the branch as it is at a conflict, and one that is gone", async () => {
      const approved = await pushed({ "src/a.txt": "mine\n" });
      const base = await moveMain({ "src/a.txt": "theirs\n" });
      expect(await update(approved)).toEqual({ kind: "conflict", base, files: ["src/a.txt"] });
      expect(await current().serverHead(BRANCH)).toBe(approved);
      const { worktrees, repository } = current();
      const gone = { branch: "flotilla/dev/issue-2", approved };
      expect(await worktrees.compareBranches(repository, "main", [gone])).toMatchObject([
        { head: null, approved: false, files: [] },
      ]);
      await expect(worktrees.compareBranches(repository, "nowhere", [gone])).rejects.toMatchObject({
        code: "base_not_found",
      });
    });

    it("merges the base into a worktree, with markers, and the next commit is the merge", async () => {
      const head = await pushed({ "src/a.txt": "mine\n", "new.txt": "n\n" });
      await write("open.txt", "o\n");
      const tip = await moveMain({ "src/a.txt": "theirs\n", "src/b.txt": "moved\n" });
      const { worktrees } = current();
      expect(await worktrees.bringIn(ref(), "main")).toEqual({ base: tip, conflicts: ["src/a.txt"] });
      expect(await read("src/b.txt")).toBe("moved\n");
      expect(await read("open.txt")).toBe("o\n");
      expect(await read("src/a.txt")).toMatch(/<<<<<<<[^]*mine[^]*>>>>>>>/);
      await expect(commit()).rejects.toMatchObject({ code: "conflict_markers", message: /src\/a\.txt/ });
      await write("src/a.txt", "both\n");
      expect(await worktrees.bringIn(ref(), "main")).toEqual({ base: tip, conflicts: [] });
      expect(await read("src/a.txt")).toBe("both\n");
      await commit();
      const { commit: merge } = await push();
      expect(await worktrees.bringIn(ref(), "main")).toBeNull();
      expect(await compared(merge)).toMatchObject({ head: merge, current: true });
      expect((await worktrees.inspect(ref(), { commit: merge, base: "main" })).files.toSorted()).toEqual([
        "new.txt",
        "open.txt",
        "src/a.txt",
      ]);
      expect(merge).not.toBe(head);
    });

    it("continues with a merge that waited when the worktree is built again", async () => {
      await pushed({ "src/a.txt": "mine\n" });
      const tip = await moveMain({ "src/a.txt": "theirs\n" });
      const { worktrees } = current();
      await worktrees.bringIn(ref(), "main");
      await write("src/a.txt", "both\n");
      await worktrees.checkpoint(ref());
      await current().loseDirectory(NAME);
      await worktrees.prepare(ref(), { base: null, reusePushed: true });
      expect(await worktrees.bringIn(ref(), "main")).toEqual({ base: tip, conflicts: [] });
      await commit();
      expect(await compared((await push()).commit)).toMatchObject({ current: true });
      expect(await read("src/a.txt")).toBe("both\n");
    });
  });
}
