import { describe, expect, it } from "vitest";
import { AUTHOR, type WorktreesHarness } from "./worktrees-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";

/** The part of the contract about worktrees that go: what is nowhere else is archived first. */
export function worktreesRemovingContract(current: () => WorktreesHarness): void {
  const ref = () => ({ repository: current().repository, name: NAME, branch: BRANCH });
  const prepare = (reusePushed = false) => current().worktrees.prepare(ref(), { base: null, reusePushed });
  const write = (path: string, text: string | null) => current().write(NAME, path, text);
  const read = (path: string) => current().read(NAME, path);
  const commit = async () =>
    (await current().worktrees.commit(ref(), { message: "work", author: AUTHOR }))?.commit ?? null;
  const remove = () => current().worktrees.remove(ref(), { base: "main" });
  const ARCHIVED = {
    archive: {
      path: expect.stringMatching(/^archives\/4711\/dev-issue-1\/\w+\.bundle$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: expect.any(Number),
    },
  };

  describe("remove", () => {
    it.each([
      ["uncommitted", async () => {}],
      ["unpushed", async () => void (await commit())],
    ])("archives %s work, and says where, as often as it is asked", async (_, then) => {
      await prepare();
      await write("a.txt", "a\n");
      await then();
      const removed = await remove();
      expect(removed).toEqual(ARCHIVED);
      expect(await read("a.txt")).toBeNull();
      expect(await current().worktrees.status(ref())).toMatchObject({ exists: false });
      expect(await remove()).toEqual(removed);
    });

    it("archives what was committed and not pushed by an agent whose directory was lost", async () => {
      await prepare();
      await write("a.txt", "a\n");
      await commit();
      await current().loseDirectory(NAME);
      expect(await remove()).toEqual(ARCHIVED);
    });

    it("keeps what the branch changed readable, and nothing of a branch that never was", async () => {
      const { baseCommit } = await prepare();
      await write("a.txt", "a\n");
      await commit();
      const whole = await current().worktrees.diff(ref(), baseCommit, 10_000);
      await remove();
      expect(await current().worktrees.diff(ref(), baseCommit, 10_000)).toEqual(whole);
      expect(whole.files).toEqual(["a.txt"]);
      const never = { ...ref(), name: "dev-issue-9", branch: "flotilla/dev/issue-9" };
      await expect(current().worktrees.diff(never, baseCommit, 10)).rejects.toMatchObject({
        code: "missing_worktree",
      });
    });

    it("needs no archive for what is pushed; the branch can be taken up again, without old checkpoints", async () => {
      await prepare();
      await write("a.txt", "a\n");
      const head = await commit();
      await write("b.txt", "discarded later\n");
      await current().worktrees.checkpoint(ref());
      await current().worktrees.restore(ref(), ["b.txt"]);
      await current().worktrees.push(ref());
      expect(await remove()).toEqual({ archive: null });
      expect(await read("a.txt")).toBeNull();
      expect(await remove()).toEqual({ archive: null });
      expect(await prepare(true)).toMatchObject({ origin: "pushed", head });
      expect(await read("b.txt")).toBeNull();
    });

    it("needs none for what the base branch has by another commit", async () => {
      await prepare();
      await write("a.txt", "a\n");
      await commit();
      await current().serverCommit("main", { "a.txt": "a\n", "other.txt": "o\n" });
      expect(await remove()).toEqual({ archive: null });
    });

    it("needs none for one without any work", async () => {
      await prepare();
      expect(await remove()).toEqual({ archive: null });
      expect(await current().worktrees.status(ref())).toMatchObject({ exists: false });
    });
  });

  it("forgets what was kept, and then knows nothing of it; the branch stays", async () => {
    await prepare();
    await write("a.txt", "a\n");
    const head = await commit();
    await write("b.txt", "b\n");
    await current().worktrees.checkpoint(ref());
    await remove();
    for (const _ of [1, 2]) await current().worktrees.forget(ref());
    expect(await prepare()).toMatchObject({ head });
    expect([await read("a.txt"), await read("b.txt")]).toEqual(["a\n", null]);
  });
}
