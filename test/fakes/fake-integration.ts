import { GitError } from "../../src/domain/kernel/errors.ts";
import type { BranchComparison, Integration } from "../../src/domain/ports/worktrees.ts";
import { changedBetween, type FakeCommits, forkOf, type Tree } from "./fake-commits.ts";
import { treeIdOf } from "./fake-pending.ts";
import { putOnTop } from "./put-on-top.ts";
import { branchOf, fail } from "./worktree-names.ts";

/** The state shared with the fake Worktrees, all by reference. */
interface Shared {
  readonly commits: FakeCommits;
  readonly server: Map<string, string>;
  readonly directories: ReadonlyMap<string, { readonly head: string; readonly files: Map<string, string> }>;
}

export interface FakeIntegration extends Integration {
  /** From now on a commit of the base that reverts another one has changed the path. */
  revertedLately(path: string): void;
  /**
   * Returns the second parent of the next commit in the worktree; undefined if there is none. Throws while conflict
   * markers are left.
   */
  readonly merges: (name: string) => string | undefined;
  /** Squashes the branch's work to one commit on the base, as GitHub does; null if there is a conflict. */
  serverSquash(branch: string, base: string): string | null;
}

const nearest = (commits: FakeCommits, commit: string, tip: string) =>
  forkOf(commits, commit, tip) ?? fail("base_not_found", "tell");

function merged(commits: FakeCommits, tree: Tree, from: string, theirs: string) {
  const files = new Map(tree);
  const conflicts = putOnTop(files, commits.tree(from), commits.tree(theirs));
  return { files, conflicts };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

/** Returns how many lines one of the texts has alone; null where one has a zero byte. */
function linesBetween(before: string, after: string): number | null {
  if (before.includes("\0") || after.includes("\0")) return null;
  const [had, has] = [linesOf(before), linesOf(after)];
  return had.filter((line) => !has.includes(line)).length + has.filter((line) => !had.includes(line)).length;
}

export function createFakeIntegration({ commits, server, directories }: Shared): FakeIntegration {
  /** By worktree: the waiting merge of the base, with its head, its base and its files. */
  const waiting = new Map<string, { head: string; base: string; conflicts: readonly string[] }>();
  const reverted = new Set<string>();
  const tipOf = (base: string) => server.get(base) ?? fail("base_not_found", "tell");
  const mergedInto = (head: string, tip: string) =>
    merged(commits, commits.tree(head), nearest(commits, head, tip), tip);

  /** Returns whether the approved commit is followed only by clean merges of the base. */
  function isSameWork(approved: string, head: string, tip: string): boolean {
    if (head === approved) return true;
    const [work, theirs] = commits.parents(head);
    if (work === undefined || theirs === undefined || !commits.history(tip).has(theirs)) return false;
    const made = mergedInto(work, theirs);
    const isClean =
      made.conflicts.length === 0 && changedBetween(made.files, commits.tree(head)).length === 0;
    return isClean && isSameWork(approved, work, tip);
  }

  function left(name: string): readonly string[] {
    const files = directories.get(name)?.files;
    const conflicts = waiting.get(name)?.conflicts ?? [];
    return conflicts.filter((path) => files?.get(path)?.includes("<<<<<<<") === true);
  }

  return {
    async compareBranches(_, base, candidates) {
      const tip = tipOf(base);
      return candidates.map(({ branch, approved }): BranchComparison => {
        const head = server.get(branch);
        const none = { base: tip, files: [], shared: [], conflicts: [] };
        if (head === undefined) return { ...none, head: null, approved: false, current: false };
        const from = nearest(commits, head, tip);
        const files = changedBetween(commits.tree(from), commits.tree(head));
        const known = { ...none, head, approved: isSameWork(approved, head, tip), files };
        if (commits.history(head).has(tip)) return { ...known, current: true };
        const theirs = changedBetween(commits.tree(from), commits.tree(tip));
        const { conflicts } = mergedInto(head, tip);
        return { ...known, current: false, shared: files.filter((file) => theirs.includes(file)), conflicts };
      });
    },
    async changeOf(_, { base, head }) {
      const from = forkOf(commits, head, base);
      if (from === undefined) return null;
      const [before, after] = [commits.tree(from), commits.tree(head)];
      const files = changedBetween(before, after)
        .toSorted()
        .map((path) => ({ path, lines: linesBetween(before.get(path) ?? "", after.get(path) ?? "") }));
      return { files, reverted: files.flatMap(({ path }) => (reverted.has(path) ? [path] : [])) };
    },
    revertedLately: (path) => void reverted.add(path),
    async updateBranch(_, { branch, base, expected, mayPush, signing }) {
      const tip = tipOf(base);
      const head = server.get(branch) ?? null;
      if (head !== expected)
        return head !== null && isSameWork(expected, head, tip)
          ? { kind: "updated", commit: head }
          : { kind: "moved", head };
      if (commits.history(head).has(tip)) return { kind: "current" };
      const { files, conflicts } = mergedInto(head, tip);
      if (conflicts.length > 0) return { kind: "conflict", base: tip, files: conflicts };
      if (mayPush !== undefined && !(await mayPush())) return { kind: "held" };
      const parents = [head, tip];
      const made = await signing?.commit({ tree: treeIdOf(files), parents, message: "Merge" });
      const commit = commits.add(files, parents, made);
      await signing?.moveBranch(branch, commit);
      server.set(branch, commit);
      return { kind: "updated", commit };
    },
    async bringIn(ref, base) {
      branchOf(ref);
      const directory = directories.get(ref.name) ?? fail("missing_worktree", "stop");
      const known = waiting.get(ref.name);
      if (known?.head === directory.head) return { base: known.base, conflicts: left(ref.name) };
      const tip = tipOf(base);
      if (commits.history(directory.head).has(tip)) return null;
      const from = nearest(commits, directory.head, tip);
      const { files, conflicts } = merged(commits, directory.files, from, tip);
      directory.files.clear();
      for (const [path, text] of files) directory.files.set(path, text);
      waiting.set(ref.name, { head: directory.head, base: tip, conflicts });
      return { base: tip, conflicts };
    },
    async mergedOnto(_, { merge, head }) {
      if (!commits.has(merge) || !commits.has(head)) return null;
      const [onto, second] = commits.parents(merge);
      if (onto === undefined || second !== undefined) return onto ?? null;
      const { files, conflicts } = merged(commits, commits.tree(onto), nearest(commits, head, onto), head);
      return conflicts.length > 0 || changedBetween(files, commits.tree(merge)).length > 0 ? null : onto;
    },
    merges(name) {
      const known = waiting.get(name);
      if (known === undefined || known.head !== directories.get(name)?.head) return undefined;
      const files = left(name);
      if (files.length > 0)
        throw new GitError("conflict_markers", `conflict markers are left in ${files.join(", ")}`, {
          consequence: "tell",
        });
      return known.base;
    },
    serverSquash(branch, base) {
      const tip = tipOf(base);
      const head = server.get(branch) ?? fail("base_not_found", "tell");
      const { files, conflicts } = mergedInto(head, tip);
      if (conflicts.length > 0) return null;
      const commit = commits.add(files, [tip]);
      server.set(base, commit);
      return commit;
    },
  };
}
