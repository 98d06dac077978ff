import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Worktrees } from "../../src/domain/ports/worktrees.ts";
import { worktreesEvidenceContract } from "./worktrees-evidence.ts";
import { AUTHOR, FRESH, type WorktreesHarness } from "./worktrees-harness.ts";
import { worktreesIntegrationContract } from "./worktrees-integration.ts";
import { worktreesRemovingContract } from "./worktrees-removing.ts";
import { worktreesSavingContract } from "./worktrees-saving.ts";
import { worktreesTakingUpContract } from "./worktrees-taking-up.ts";

const UNSAFE = [
  ["..", "b"],
  ["a/b", "b"],
  ["-a", "b"],
  ["", "b"],
  ["a", "-b"],
  ["a", "x..y"],
  ["a", "x y"],
  ["a", "/x"],
  ["a", "x/.y"],
  ["a", "x.lock"],
  ["a", "x/"],
  ["a", "x\u0000y"],
] as const;

/** What every implementation of the Worktrees port does. */
export function worktreesContract(name: string, setup: () => Promise<WorktreesHarness>): void {
  describe(`${name} keeps the Worktrees contract`, { timeout: 60_000 }, () => {
    let harness: WorktreesHarness;
    let worktrees: Worktrees;
    const ref = (agent = "dev-issue-1", branch: string | null = "flotilla/dev/issue-1") => ({
      repository: harness.repository,
      name: agent,
      branch,
    });

    const releaseBranch = () => harness.serverCommit("release", { "README.md": "one\n2\n" });
    const begun = (changeOf: string) =>
      worktrees.prepare(ref(), { base: "release", reusePushed: false, changeOf });

    beforeEach(async () => {
      harness = await setup();
      worktrees = harness.worktrees;
    });
    afterEach(() => harness.close());

    describe("prepare", () => {
      it("starts a fresh worktree at the head of the default branch", async () => {
        const main = await harness.serverHead("main");
        const prepared = await worktrees.prepare(ref(), FRESH);
        expect(prepared).toMatchObject({ origin: "fresh", head: main, baseCommit: main });
        expect(prepared.path).toMatch(/^\/.*dev-issue-1$/);
        expect(await harness.read("dev-issue-1", "src/a.txt")).toBe("a\n");
        expect(await worktrees.status(ref())).toEqual({
          exists: true,
          clean: true,
          pushed: true,
          head: main,
          changed: [],
        });
      });

      it("starts at another base when one is named", async () => {
        const release = await harness.serverCommit("release", { "only-here.txt": "r\n" });
        const prepared = await worktrees.prepare(ref(), { base: "release", reusePushed: false });
        expect(prepared).toMatchObject({ head: release, baseCommit: release });
        expect(await harness.read("dev-issue-1", "only-here.txt")).toBe("r\n");
      });

      describe("with the change of a commit", () => {
        it("begins with it as uncommitted files, and with nothing else of its branch", async () => {
          const tip = await releaseBranch();
          await harness.serverCommit("main", { "earlier.txt": "e\n" });
          const change = await harness.serverCommit("main", { "src/a.txt": "fixed\n", "src/new.txt": "n\n" });
          expect(await begun(change)).toMatchObject({ origin: "fresh", head: tip, baseCommit: tip });
          expect(await harness.read("dev-issue-1", "src/a.txt")).toBe("fixed\n");
          expect(await harness.read("dev-issue-1", "README.md")).toBe("one\n2\n");
          expect(await harness.read("dev-issue-1", "earlier.txt")).toBeNull();
          expect((await worktrees.status(ref())).changed.toSorted()).toEqual(["src/a.txt", "src/new.txt"]);
        });

        it("begins with those of several commits, whose last one alone would not fit", async () => {
          await releaseBranch();
          const onto = await harness.serverCommit("main", { "earlier.txt": "e\n" });
          await harness.serverCommit("main", { "src/a.txt": "fixed\n" });
          const last = await harness.serverCommit("main", { "src/a.txt": "fixed\ntwice\n" });
          await begun(`${onto}..${last}`);
          expect(await harness.read("dev-issue-1", "src/a.txt")).toBe("fixed\ntwice\n");
          expect(await harness.read("dev-issue-1", "earlier.txt")).toBeNull();
        });

        it("marks where it does not fit, and keeps what the agent has made of it", async () => {
          await releaseBranch();
          const change = await harness.serverCommit("main", { "README.md": "one\nzwei\n" });
          await begun(change);
          expect(await harness.read("dev-issue-1", "README.md")).toMatch(/<{7}[^]*\n={7}\n[^]*>{7}/);
          await harness.write("dev-issue-1", "README.md", "one\nzwei\n");
          expect(await begun(change)).toMatchObject({ origin: "existing" });
          expect(await harness.read("dev-issue-1", "README.md")).toBe("one\nzwei\n");
        });

        it("says that the commit is missing", async () => {
          await releaseBranch();
          await expect(begun("d".repeat(40))).rejects.toMatchObject({
            code: "commit_missing",
            consequence: "stop",
          });
        });
      });

      it("says that the base is missing", async () => {
        await expect(worktrees.prepare(ref(), { base: "nope", reusePushed: false })).rejects.toMatchObject({
          name: "GitError",
          code: "base_not_found",
          consequence: "tell",
        });
      });

      it("keeps an existing worktree with its uncommitted files", async () => {
        const first = await worktrees.prepare(ref(), FRESH);
        await harness.write("dev-issue-1", "new.txt", "unsaved\n");
        await harness.serverCommit("main", { "later.txt": "l\n" });
        expect(await worktrees.prepare(ref(), FRESH)).toEqual({ ...first, origin: "existing" });
        expect(await harness.read("dev-issue-1", "new.txt")).toBe("unsaved\n");
      });

      it("takes up the pushed branch only when told to", async () => {
        const main = await harness.serverHead("main");
        const pushed = await harness.serverCommit("flotilla/dev/issue-1", { "earlier.txt": "e\n" });
        expect(await worktrees.prepare(ref(), { base: null, reusePushed: true })).toMatchObject({
          origin: "pushed",
          head: pushed,
          baseCommit: main,
        });
        const other = ref("dev-issue-2", "flotilla/dev/issue-2");
        await harness.serverCommit("flotilla/dev/issue-2", { "earlier.txt": "e\n" });
        expect(await worktrees.prepare(other, FRESH)).toMatchObject({ origin: "fresh", head: main });
      });

      it("gives two agents directories that do not touch", async () => {
        const other = ref("dev-issue-2", "flotilla/dev/issue-2");
        await Promise.all([worktrees.prepare(ref(), FRESH), worktrees.prepare(other, FRESH)]);
        await harness.write("dev-issue-1", "README.md", "mine\n");
        expect(await harness.read("dev-issue-2", "README.md")).toBe("one\ntwo\n");
        expect(await worktrees.status(other)).toMatchObject({ clean: true });
      });

      it("makes a checkout without a branch, which is neither committed nor pushed and is thrown away", async () => {
        const detached = ref("triage-1", null);
        expect(await worktrees.prepare(detached, FRESH)).toMatchObject({
          origin: "fresh",
          head: await harness.serverHead("main"),
        });
        await harness.write("triage-1", "scratch.txt", "x\n");
        await expect(worktrees.push(detached)).rejects.toMatchObject({ code: "no_branch" });
        await expect(worktrees.commit(detached, { message: "m", author: AUTHOR })).rejects.toMatchObject({
          code: "no_branch",
        });
        expect(await worktrees.remove(detached, { base: "main" })).toEqual({ archive: null });
        expect(await harness.read("triage-1", "README.md")).toBeNull();
      });

      it("refuses names that are unsafe as a path, a ref or an argument", async () => {
        for (const [agent, branch] of UNSAFE) {
          await expect(worktrees.prepare(ref(agent, branch), FRESH)).rejects.toMatchObject({
            code: "bad_name",
            consequence: "stop",
          });
        }
      });
    });

    it("names the same content by the same hash, committed or not, and other content by another", async () => {
      await worktrees.prepare(ref(), FRESH);
      const first = await worktrees.tree(ref());
      expect(await worktrees.tree(ref())).toBe(first);
      await harness.write("dev-issue-1", "new.txt", "n\n");
      const changed = await worktrees.tree(ref());
      expect(changed).not.toBe(first);
      await worktrees.commit(ref(), { message: "m", author: AUTHOR });
      expect(await worktrees.tree(ref())).toBe(changed);
      await harness.write("dev-issue-1", "new.txt", null);
      expect(await worktrees.tree(ref())).toBe(first);
      await expect(worktrees.tree(ref("dev-issue-2", "b"))).rejects.toMatchObject({
        code: "missing_worktree",
      });
    });

    it("says of a worktree that was never made that it does not exist, and removes it", async () => {
      expect(await worktrees.status(ref())).toEqual({
        exists: false,
        clean: true,
        pushed: true,
        head: null,
        changed: [],
      });
      expect(await worktrees.remove(ref(), { base: "main" })).toEqual({ archive: null });
      await expect(worktrees.commit(ref(), { message: "m", author: AUTHOR })).rejects.toMatchObject({
        code: "missing_worktree",
      });
    });

    worktreesSavingContract(() => harness);
    worktreesRemovingContract(() => harness);
    worktreesTakingUpContract(() => harness);
    worktreesEvidenceContract(() => harness);
    worktreesIntegrationContract(() => harness);
  });
}
