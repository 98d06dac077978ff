import { GitError } from "../../../domain/kernel/errors.ts";
import { fullName } from "../../../domain/kernel/repository.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { mergedChange } from "../../../domain/tasks/backport.ts";
import { HOST_AUTHOR } from "../mirror/checkpoint.ts";
import { commitAt, writeCommit } from "../mirror/commits.ts";
import type { StartPoint } from "../mirror/start-point.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { mergedTree } from "./merged-tree.ts";

/**
 * Returns the start with the change of a commit, or of `onto..commit`, on top of it: as uncommitted files, with
 * conflict markers where it does not fit. A single commit is compared with its first parent. Works in the mirror, so an interrupted worktree begins with it again.
 */
export async function withChangeOf(
  host: GitHost,
  ref: WorktreeRef,
  start: StartPoint,
  change: string,
): Promise<StartPoint> {
  const { onto, commit } = mergedChange(change);
  for (const id of [commit, ...(onto === null ? [] : [onto])]) assertCommit(id);
  const { repository } = ref;
  const parent = await commitAt(host, repository, onto ?? `${commit}^1`);
  if (parent === null)
    throw new GitError("commit_missing", `${fullName(repository)} has no commit ${commit} with a parent`, {
      consequence: "stop",
      advice: "The branch that it was merged into was rewritten; bring the change over by hand.",
    });
  const message = `The change of ${commit}`;
  const write = (tree: string, below: string) =>
    writeCommit(host, ref, { tree, parents: [below], message, author: HOST_AUTHOR });
  // The start's files on top of the commit's parent: both sides part there, so the merge adds that one change.
  const ours = await write(`${start.head}^{tree}`, parent);
  const { tree } = await mergedTree(host, repository, ours, commit);
  const checkpoint = await write(tree, start.head);
  return { ...start, checkpoint };
}
