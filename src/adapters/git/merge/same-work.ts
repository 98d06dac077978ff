import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { isAncestor } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { mergedTree } from "./merged-tree.ts";

/** Maximum number of clean merges of the base on top of an approved commit that are checked. */
const MOST_UPDATES = 50;

/**
 * Returns whether `head` is the approved commit, followed only by merges of the base's commits, each identical to what
 * git itself makes of its two sides. Such merges add no content, so the approval remains valid.
 */
export async function isSameWork(
  host: GitHost,
  repository: RepositoryRef,
  { approved, head, base }: { readonly approved: string; readonly head: string; readonly base: string },
): Promise<boolean> {
  let at = head;
  for (let updates = 0; updates < MOST_UPDATES && at !== approved; updates += 1) {
    const { stdout } = await mirrorGit(host, repository, {
      args: ["show", "--no-patch", "--format=%T %P", at],
      purpose: "read a merge commit",
    });
    const [tree, work, merged, ...more] = stdout.trim().split(" ");
    if (work === undefined || merged === undefined || more.length > 0) return false;
    if (!(await isAncestor(host, repository, merged, base))) return false;
    const made = await mergedTree(host, repository, work, merged);
    if (made.conflicts.length > 0 || made.tree !== tree) return false;
    at = work;
  }
  return at === approved;
}
