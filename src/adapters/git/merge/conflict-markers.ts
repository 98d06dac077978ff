import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { mergedTree } from "./merged-tree.ts";

/**
 * Returns the files in which a merge of the two commits conflicts, and which still contain conflict markers in `tree`.
 */
export async function unsettledIn(
  host: GitHost,
  repository: RepositoryRef,
  {
    head,
    theirs,
    tree,
    env,
  }: {
    readonly head: string;
    readonly theirs: string;
    readonly tree: string;
    /** Environment of the quarantine that holds the tree. */
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<readonly string[]> {
  const { conflicts } = await mergedTree(host, repository, head, theirs);
  if (conflicts.length === 0) return [];
  const { stdout } = await mirrorGit(host, repository, {
    args: [
      "--literal-pathspecs",
      "grep",
      "--files-with-matches",
      "--full-name",
      "-z",
      "-E",
      "-e",
      "^(<{7}|>{7})( |$)",
      tree,
      "--",
      ...conflicts,
    ],
    env,
    purpose: "look for conflict markers",
    answers: [1],
  });
  const named = stdout.split("\0").filter((line) => line !== "");
  return named.map((line) => line.slice(tree.length + 1));
}
