import type { WorktreePrepared, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { isAncestor, readRefs } from "./commits.ts";

/** The commit at which a rebuilt worktree starts. */
export interface StartPoint {
  /** The commit of the branch, or of the detached HEAD. */
  readonly head: string;
  /** A checkpoint directly on top of `head`. Its changes are restored as uncommitted ones. */
  readonly checkpoint: string | null;
  readonly origin: WorktreePrepared["origin"];
}

/**
 * Chooses the start from the refs of the mirror after a fetch. A checkpoint is used only if it is based on the newest
 * commit of the work: an older one would undo later commits. Commits of the kept branch are never dropped.
 */
export async function chooseStart(
  host: GitHost,
  ref: WorktreeRef,
  options: { baseTip: string; reusePushed: boolean },
): Promise<StartPoint> {
  const { branchRef, remoteBranchRef, checkpointRef } = worktreePathsOf(host.dataDir, ref);
  const names = [branchRef, remoteBranchRef, checkpointRef].filter((name) => name !== null);
  const refs = await readRefs(host, ref.repository, names);
  const local = refs.get(branchRef ?? "")?.commit ?? null;
  const onServer = refs.get(remoteBranchRef ?? "")?.commit ?? null;
  const remote = options.reusePushed ? onServer : null;
  const saved = refs.get(checkpointRef);

  const ahead = async (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other && (await isAncestor(host, ref.repository, other, one));

  if (saved?.parent) {
    const newest = local === null ? !(await ahead(remote, saved.parent)) : local === saved.parent;
    if (newest) return { head: saved.parent, checkpoint: saved.commit, origin: "checkpoint" };
  }
  if (local !== null && !(await isAncestor(host, ref.repository, local, options.baseTip))) {
    if (remote !== null && (await ahead(remote, local))) {
      return { head: remote, checkpoint: null, origin: "pushed" };
    }
    return { head: local, checkpoint: null, origin: onServer === local ? "pushed" : "checkpoint" };
  }
  if (remote !== null) return { head: remote, checkpoint: null, origin: "pushed" };
  return { head: options.baseTip, checkpoint: null, origin: "fresh" };
}
