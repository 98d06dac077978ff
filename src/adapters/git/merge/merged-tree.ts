import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";

export interface MergedTree {
  /** The tree's id; files of `conflicts` hold conflict markers in it. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** Two commits merged in the mirror, as a tree that no ref names; no work tree, attribute or driver of an agent's counts. */
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
