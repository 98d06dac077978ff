import { createHash } from "node:crypto";
import type { ChangedFile } from "../../src/domain/ports/changed-file.ts";

/** The files of a commit or a directory: path to text. */
export type Tree = ReadonlyMap<string, string>;

/** Commits and branches in memory, which the fake Worktrees and its server share. */
export interface FakeCommits {
  /** `id` = the commit's own, where the server made it. */
  add(tree: Tree, parents: readonly string[], id?: string): string;
  tree(commit: string): Tree;
  has(commit: string): boolean;
  parents(commit: string): readonly string[];
  /** Returns the commit and all its ancestors. */
  history(commit: string): Set<string>;
}

export function createFakeCommits(): FakeCommits {
  const commits = new Map<string, { tree: Tree; parents: readonly string[] }>();
  const get = (commit: string) => {
    const found = commits.get(commit);
    if (found === undefined) throw new Error(`the fake has no commit ${commit}`);
    return found;
  };
  const history = (commit: string): Set<string> =>
    new Set([commit, ...get(commit).parents.flatMap((parent) => [...history(parent)])]);
  return {
    add(tree, parents, id = createHash("sha1").update(`commit ${commits.size}`).digest("hex")) {
      commits.set(id, { tree: new Map(tree), parents });
      return id;
    },
    tree: (commit) => get(commit).tree,
    has: (commit) => commits.has(commit),
    parents: (commit) => get(commit).parents,
    history,
  };
}

/** Returns the nearest common ancestor of two commits. */
export function forkOf(commits: FakeCommits, one: string, other: string): string | undefined {
  const known = commits.history(other);
  const common = [...commits.history(one)].filter((commit) => known.has(commit));
  return common.toSorted((a, b) => commits.history(b).size - commits.history(a).size)[0];
}

/** Returns the paths whose text differs between two trees. */
export function changedBetween(one: Tree, other: Tree): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
}

/** Returns a readable patch, which contains only the lines that differ. */
export function patchBetween(one: Tree, other: Tree): string {
  return changedBetween(one, other)
    .map((path) => {
      const before = (one.get(path) ?? "").split("\n").filter((line) => line !== "");
      const after = (other.get(path) ?? "").split("\n").filter((line) => line !== "");
      const removed = before.filter((line) => !after.includes(line)).map((line) => `-${line}\n`);
      const added = after.filter((line) => !before.includes(line)).map((line) => `+${line}\n`);
      const hunk = `@@ -1,${before.length} +1,${after.length} @@`;
      return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunk}\n${removed.join("")}${added.join("")}`;
    })
    .join("");
}

/** Returns a path of two trees with its texts, which are their own ids. */
export function changedFile(path: string, before: Tree, after: Tree): ChangedFile {
  const at = (tree: Tree) => {
    const text = tree.get(path);
    return text === undefined ? null : ({ kind: "text", id: text, text } as const);
  };
  return { path, before: at(before), after: at(after) };
}
