import { describe, expect, it } from "vitest";
import { AUTHOR, type WorktreesHarness } from "./worktrees-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";

/** The part of the contract about work that is saved, put back, compared and cleared away. */
export function worktreesSavingContract(current: () => WorktreesHarness): void {
  const ref = () => ({ repository: current().repository, name: NAME, branch: BRANCH });
  const prepare = (reusePushed = false) => current().worktrees.prepare(ref(), { base: null, reusePushed });
  const write = (path: string, text: string | null) => current().write(NAME, path, text);
  const read = (path: string) => current().read(NAME, path);
  const status = () => current().worktrees.status(ref());
  const commit = async (message = "work") =>
    (await current().worktrees.commit(ref(), { message, author: AUTHOR }))?.commit ?? null;
  const push = () => current().worktrees.push(ref());
  const restore = (...paths: string[]) => current().worktrees.restore(ref(), paths);

  describe("commit and push", () => {
    it("commits changed, new and deleted files, and nothing when nothing changed", async () => {
      const { head } = await prepare();
      expect(await commit()).toBeNull();
      await write("README.md", "changed\n");
      await write("src/new.txt", "n\n");
      await write("src/a.txt", null);
      expect([...(await status()).changed].toSorted()).toEqual(["README.md", "src/a.txt", "src/new.txt"]);
      const made = await commit();
      expect(made).not.toBe(head);
      expect(await status()).toEqual({ exists: true, clean: true, pushed: false, head: made, changed: [] });
      expect(await commit()).toBeNull();
      const diff = await current().worktrees.diff(ref(), head, 10_000);
      expect([...diff.files].toSorted()).toEqual(["README.md", "src/a.txt", "src/new.txt"]);
    });

    it("pushes the branch under its own name, again without harm, and knows it then", async () => {
      await prepare();
      await write("new.txt", "n\n");
      const made = await commit();
      expect(await push()).toEqual({ commit: made });
      expect(await current().serverHead(BRANCH)).toBe(made);
      expect(await status()).toMatchObject({ pushed: true });
      expect(await push()).toEqual({ commit: made });
    });

    it("leaves a branch alone that has commits of somebody else", async () => {
      await prepare();
      await write("new.txt", "n\n");
      await commit();
      await push();
      const foreign = await current().serverCommit(BRANCH, { "theirs.txt": "t\n" });
      await write("new.txt", "m\n");
      await commit();
      await expect(push()).rejects.toMatchObject({ code: "foreign_commits", consequence: "tell" });
      expect(await current().serverHead(BRANCH)).toBe(foreign);
      expect(await status()).toMatchObject({ pushed: false });
    });

    it("lists at most 100 changed paths", async () => {
      await prepare();
      for (let number = 0; number < 101; number++) await write(`many/${number}.txt`, "x");
      expect((await status()).changed).toHaveLength(100);
    });
  });

  describe("checkpoint", () => {
    it("saves nothing when there is nothing beyond the base", async () => {
      await prepare();
      expect(await current().worktrees.checkpoint(ref())).toBeNull();
    });

    it("moves neither branch nor files, and a lost worktree comes back with committed and uncommitted work", async () => {
      await prepare();
      await write("committed.txt", "c\n");
      const head = await commit();
      await write("README.md", "uncommitted\n");
      await write("src/a.txt", null);
      await write("extra.txt", "e\n");
      const saved = await current().worktrees.checkpoint(ref());
      expect(saved?.commit).toMatch(/^[0-9a-f]{40}$/);
      const before = await status();
      expect(before).toMatchObject({ head, clean: false });
      expect(await current().serverHead(BRANCH)).toBeNull();

      await current().loseDirectory(NAME);
      expect(await status()).toMatchObject({ exists: false });
      expect(await prepare()).toMatchObject({ origin: "checkpoint", head });
      expect([await read("README.md"), await read("src/a.txt"), await read("extra.txt")]).toEqual([
        "uncommitted\n",
        null,
        "e\n",
      ]);
      const after = await status();
      expect({ ...after, changed: [...after.changed].toSorted() }).toEqual({
        ...before,
        changed: [...before.changed].toSorted(),
      });
    });

    it("does not undo what was committed after it", async () => {
      await prepare();
      await write("a.txt", "old\n");
      await current().worktrees.checkpoint(ref());
      await write("a.txt", "new\n");
      const head = await commit();
      await current().loseDirectory(NAME);
      expect(await prepare()).toMatchObject({ origin: "checkpoint", head });
      expect(await read("a.txt")).toBe("new\n");
      expect(await status()).toMatchObject({ clean: true });
    });

    it("saves commits that are not pushed, with a clean directory", async () => {
      await prepare();
      await write("a.txt", "a\n");
      await commit();
      expect(await current().worktrees.checkpoint(ref())).not.toBeNull();
    });
  });

  describe("restore", () => {
    it("puts changed and deleted paths back, deletes new ones, and leaves the others", async () => {
      await prepare();
      await write("README.md", "changed\n");
      await write("src/a.txt", null);
      await write("new/file.txt", "n\n");
      await write("src/b.txt", "kept\n");
      await restore("README.md", "src/a.txt", "new/file.txt", "never-was.txt");
      expect([await read("README.md"), await read("src/a.txt"), await read("new/file.txt")]).toEqual([
        "one\ntwo\n",
        "a\n",
        null,
      ]);
      expect((await status()).changed).toEqual(["src/b.txt"]);
    });

    it("puts a whole directory back", async () => {
      await prepare();
      await write("src/a.txt", "changed\n");
      await write("src/new.txt", "n\n");
      await restore("src/");
      expect(await status()).toMatchObject({ clean: true });
    });

    it("refuses paths outside the worktree, before any other path is touched", async () => {
      await prepare();
      await write("README.md", "changed\n");
      for (const path of ["../x", "/etc/passwd", "src/../../x", ".git", "src/.GIT/config", "", "a\u0000b"]) {
        await expect(restore("README.md", path)).rejects.toMatchObject({ code: "path_outside" });
      }
      expect(await read("README.md")).toBe("changed\n");
    });
  });

  it("shows the difference since the base, cut at the limit", async () => {
    const { baseCommit } = await prepare();
    await write("README.md", "one\nthree\n");
    await commit();
    await write("src/b.txt", "not committed\n");
    const whole = await current().worktrees.diff(ref(), baseCommit, 10_000);
    expect(whole.files).toEqual(["README.md"]);
    expect(whole.patch).toContain("-two\n+three\n");
    expect((await current().worktrees.diff(ref(), baseCommit, 20)).patch).toBe(whole.patch.slice(0, 20));
  });
}
