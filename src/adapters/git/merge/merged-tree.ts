import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";

export interface MergedTree {
  /** The tree's id. The files in `conflicts` contain conflict markers. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/**
 * Merges two commits in the mirror into a tree that no ref names. No work tree, attribute or merge driver of an agent
 * has an effect.
 */
export async function mergedTree(
  host: GitHost,
  repository: RepositoryRef,
  ours: string,
  theirs: string,
): Promise<MergedTree> {
  const { stdout } = await mirrorGit(host, repository, {
    args: [
      "merge-tree",
      "--write-tree",
      "--allow-unrelated-histories",
      "--name-only",
      "--no-messages",
      "-z",
      ours,
      theirs,
    ],
    purpose: "merge two commits",
    answers: [1],
  });
  const [tree = "", ...names] = stdout.split("\0").filter((part) => part.trim() !== "");
  return { tree: tree.trim(), conflicts: [...new Set(names)] };
}
