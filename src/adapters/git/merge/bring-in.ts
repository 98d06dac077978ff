import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BroughtIn, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { fetchedTip } from "../mirror/base-tip.ts";
import { HOST_AUTHOR, MOST_KEPT_BYTES, savedTree } from "../mirror/checkpoint.ts";
import { commitAt, headOf, isAncestor, setRef, writeCommit } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { inQuarantine } from "../process/quarantine.ts";
import { type WorktreePaths, worktreePathsOf } from "../process/worktree-paths.ts";
import { mergedCommits } from "../worktree/commit.ts";
import { moveNested, overwritten } from "../worktree/nested.ts";
import { writeFiles } from "../worktree/rebuild.ts";
import { stage } from "../worktree/staging.ts";
import { REWRITTEN } from "../worktree/status.ts";
import { unsettledIn } from "./conflict-markers.ts";
import { mergedTree } from "./merged-tree.ts";

/**
 * Merges the base branch into the worktree. The next commit completes the merge, with the base as its second parent.
 * `refs/flotilla/merging/<name>` records both sides, so that a rebuilt worktree continues the merge; a crash at any
 * step loses nothing. The worktree must be ready, and no agent may be working in it.
 */
export async function bringIn(host: GitHost, ref: WorktreeRef, base: string): Promise<BroughtIn | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  if (place.branchRef === null) return null;
  const head = await headOf(host, ref);
  const waiting = await waitingMerge(host, ref, { place, head });
  if (waiting !== null) {
    await beginMerge(place, waiting);
    const conflicts = await inQuarantine(host, ref, async (quarantine) => {
      const { tree } = await stage(host, ref, quarantine, { rest: MOST_KEPT_BYTES });
      return unsettledIn(host, ref.repository, { head, theirs: waiting, tree, env: quarantine.env });
    });
    return { base: waiting, conflicts };
  }
  const tip = await fetchedTip(host, ref.repository, base);
  if (await isAncestor(host, ref.repository, tip, head)) return null;
  const { tree: ours, nested } = await savedTree(host, ref);
  const write = (tree: string, parents: readonly string[]) =>
    writeCommit(host, ref, { tree, parents, message: `Checkpoint of ${ref.name}`, author: HOST_AUTHOR });
  const before = await write(ours, [head]);
  const { tree, conflicts } = await mergedTree(host, ref.repository, before, tip);
  const after = await write(tree, [head]);
  const merging = await write(tree, [head, tip]);
  await setRef(host, ref.repository, place.checkpointRef, before);
  await moveNested(host, ref, await overwritten(host, ref, { nested, tree }));
  // Locked until every file is written: after a crash the files are written again, from the checkpoint.
  await writeFile(join(place.entry, "locked"), REWRITTEN);
  await mirrorGit(host, ref.repository, {
    args: ["update-ref", "--no-deref", "--stdin"],
    input: `update ${place.checkpointRef} ${after} ${before}\nupdate ${place.mergingRef} ${merging}\n`,
    purpose: "keep what is merged",
  });
  await writeFiles(host, ref, { head, checkpoint: after, origin: "checkpoint" });
  await rm(join(place.entry, "locked"), { force: true });
  await beginMerge(place, tip);
  return { base: tip, conflicts };
}

/**
 * Returns the base's commit of a merge that waits for its commit: from git's state of the worktree, or from our ref for
 * this head.
 */
async function waitingMerge(
  host: GitHost,
  ref: WorktreeRef,
  { place, head }: { readonly place: WorktreePaths; readonly head: string },
): Promise<string | null> {
  const [begun] = await mergedCommits(host, ref, place.entry);
  if (begun !== undefined && !(await isAncestor(host, ref.repository, begun, head))) return begun;
  const { repository } = ref;
  if ((await commitAt(host, repository, `${place.mergingRef}^1`)) !== head) return null;
  return commitAt(host, repository, `${place.mergingRef}^2`);
}

async function beginMerge(place: WorktreePaths, theirs: string): Promise<void> {
  await writeFile(join(place.entry, "MERGE_HEAD"), `${theirs}\n`);
}
