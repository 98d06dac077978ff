import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RebaseResult, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { HOST_AUTHOR, savedTree } from "../mirror/checkpoint.ts";
import { commitAt, isAncestor, setRef, writeCommit } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { type WorktreePaths, worktreePathsOf } from "../process/worktree-paths.ts";
import { treeOf } from "../worktree/commit.ts";
import { moveNested, overwritten } from "../worktree/nested.ts";
import { writeFiles } from "../worktree/rebuild.ts";
import { REWRITTEN } from "../worktree/status.ts";

/**
 * Puts the work on top of commits that somebody else pushed. The branch becomes the server's, and unpushed work becomes
 * uncommitted changes, with conflict markers. Returns null if there is nothing new, or `head` is not the branch's head.
 * `refs/flotilla/kept/<name>/<commit>` keeps the previous state. The worktree must be ready, with no agent at work.
 */
export async function rebaseOntoRemote(
  host: GitHost,
  ref: WorktreeRef,
  head: string,
): Promise<RebaseResult | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  const { branchRef, remoteBranchRef } = place;
  if (branchRef === null || remoteBranchRef === null) return null;
  const theirs = await commitAt(host, ref.repository, remoteBranchRef);
  if (theirs === null || (await isAncestor(host, ref.repository, theirs, head))) return null;
  if ((await commitAt(host, ref.repository, branchRef)) !== head) return null;
  const base = await baseOfWork(host, ref, { place, head, theirs });
  if (base === null) return null;
  const { tree: ours, nested } = await savedTree(host, ref);
  const { tree, conflicts } = await merged(host, ref, { base, ours, theirs });
  const write = (what: { tree: string; parent: string }) =>
    writeCommit(host, ref, {
      tree: what.tree,
      parents: [what.parent],
      message: `Checkpoint of ${ref.name}`,
      author: HOST_AUTHOR,
    });
  const before = await write({ tree: ours, parent: head });
  const after = await write({ tree, parent: theirs });
  await setRef(host, ref.repository, `${place.keptRefs}/${before.slice(0, 12)}`, before);
  await setRef(host, ref.repository, place.checkpointRef, before);
  await moveNested(host, ref, await overwritten(host, ref, { nested, tree }));
  // Locked until every file is written: after a crash the files are written again, from the checkpoint that matches the
  // branch.
  await writeFile(join(place.entry, "locked"), REWRITTEN);
  await mirrorGit(host, ref.repository, {
    args: ["update-ref", "--no-deref", "--stdin"],
    input: `update ${branchRef} ${theirs} ${head}\nupdate ${place.checkpointRef} ${after} ${before}\n`,
    purpose: "move the branch to what was pushed to it",
  });
  await writeFiles(host, ref, { head: theirs, checkpoint: after, origin: "pushed" });
  await rm(join(place.entry, "locked"), { force: true });
  return { head: theirs, conflicts };
}

/**
 * Returns the common base of both sides: what we pushed last, so that changes that a person removed from it stay
 * removed; otherwise their merge base.
 */
async function baseOfWork(
  host: GitHost,
  ref: WorktreeRef,
  { place, head, theirs }: { readonly place: WorktreePaths; readonly head: string; readonly theirs: string },
): Promise<string | null> {
  const pushed = await commitAt(host, ref.repository, place.pushedRef);
  if (pushed !== null && (await isAncestor(host, ref.repository, pushed, head))) return pushed;
  const { code, stdout } = await mirrorGit(host, ref.repository, {
    args: ["merge-base", head, theirs],
    purpose: "find where the work of both began",
    answers: [1],
  });
  return code === 0 ? stdout.trim() : null;
}

/**
 * Merges the two trees in the mirror, without a work tree, so that no attribute or merge driver of the agent's has an
 * effect.
 */
async function merged(
  host: GitHost,
  ref: WorktreeRef,
  side: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<{ readonly tree: string; readonly conflicts: readonly string[] }> {
  const from = (tree: string) =>
    writeCommit(host, ref, {
      tree,
      parents: [side.base],
      message: "One side of a merge",
      author: HOST_AUTHOR,
    });
  const theirs = await from(await treeOf(host, ref, side.theirs));
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", theirs, await from(side.ours)],
    purpose: "put the work on top of what was pushed",
    answers: [1],
  });
  const [tree = "", ...names] = stdout.split("\0").filter((part) => part.trim() !== "");
  return { tree: tree.trim(), conflicts: [...new Set(names)] };
}
