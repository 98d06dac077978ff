import { describe, expect, it } from "vitest";
import { AUTHOR, FRESH, type WorktreesHarness } from "./worktrees-harness.ts";

const NAME = "dev-issue-1";
const BRANCH = "flotilla/dev/issue-1";
const AGAIN = { base: null, reusePushed: true };

/** The part of the contract about commits that somebody else pushed to an agent's branch. */
export function worktreesTakingUpContract(current: () => WorktreesHarness): void {
  const ref = () => ({ repository: current().repository, name: NAME, branch: BRANCH });
  const prepare = (options = AGAIN) => current().worktrees.prepare(ref(), options);
  const write = (path: string, text: string | null) => current().write(NAME, path, text);
  const read = (path: string) => current().read(NAME, path);
  const status = () => current().worktrees.status(ref());
  const commit = () => current().worktrees.commit(ref(), { message: "work", author: AUTHOR });
  const push = () => current().worktrees.push(ref());

  /** One file pushed, one committed and not pushed, one not committed; then a person pushes. */
  async function pushedBeside(files: Record<string, string>): Promise<string> {
    await prepare(FRESH);
    await write("pushed.txt", "p\n");
    await commit();
    await push();
    await write("committed.txt", "c\n");
    await commit();
    await write("open.txt", "o\n");
    await write("src/b.txt", null);
    return current().serverCommit(BRANCH, files);
  }

  describe("somebody else's commit on the branch", () => {
    it("is what the work stands on then, with all of ours on it, and the next push keeps both", async () => {
      const theirs = await pushedBeside({ "theirs.txt": "t\n", "src/a.txt": "theirs\n" });
      await expect(push()).rejects.toMatchObject({ code: "foreign_commits" });
      expect(await prepare()).toMatchObject({ head: theirs, takenUp: { head: theirs, conflicts: [] } });
      expect([...(await status()).changed].toSorted()).toEqual(["committed.txt", "open.txt", "src/b.txt"]);
      for (const [path, text] of [
        ["theirs.txt", "t\n"],
        ["src/a.txt", "theirs\n"],
        ["pushed.txt", "p\n"],
        ["committed.txt", "c\n"],
        ["open.txt", "o\n"],
        ["src/b.txt", null],
      ] as const)
        expect([path, await read(path)]).toEqual([path, text]);
      const made = await commit();
      expect(await push()).toEqual(made);
      const facts = await current().worktrees.inspect(ref(), { commit: made?.commit ?? "", base: "main" });
      expect([...facts.files].toSorted()).toEqual([
        "committed.txt",
        "open.txt",
        "pushed.txt",
        "src/a.txt",
        "src/b.txt",
        "theirs.txt",
      ]);
    });

    it("in the same lines leaves both there, named and marked", async () => {
      await pushedBeside({ "open.txt": "theirs\n" });
      expect((await prepare()).takenUp?.conflicts).toEqual(["open.txt"]);
      expect(await read("open.txt")).toMatch(/^<<<<<<<[^]*theirs\n[^]*=======[^]*o\n[^]*>>>>>>>/);
    });

    it("is taken up once, and not at all by work that begins afresh", async () => {
      const theirs = await pushedBeside({ "theirs.txt": "t\n" });
      expect((await prepare(FRESH)).takenUp).toBeUndefined();
      expect(await read("theirs.txt")).toBeNull();
      expect((await prepare()).takenUp?.head).toBe(theirs);
      expect((await prepare()).takenUp).toBeUndefined();
      expect(await read("open.txt")).toBe("o\n");
    });

    it("is taken up by a worktree that was lost meanwhile", async () => {
      const theirs = await pushedBeside({ "theirs.txt": "t\n" });
      await current().worktrees.checkpoint(ref());
      await current().loseDirectory(NAME);
      expect((await prepare()).takenUp?.head).toBe(theirs);
      expect([await read("theirs.txt"), await read("committed.txt"), await read("open.txt")]).toEqual([
        "t\n",
        "c\n",
        "o\n",
      ]);
    });
  });
}
