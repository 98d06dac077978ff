import type { WorktreePrepared, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { isAncestor, readRefs } from "./commits.ts";

/** Where a rebuilt worktree begins. */
export interface StartPoint {
  /** The commit that the branch, or the detached HEAD, will be at. */
  readonly head: string;
  /** A checkpoint right on top of `head`, whose changes come back as uncommitted ones. */
  readonly checkpoint: string | null;
  readonly origin: WorktreePrepared["origin"];
}

/**
 * Chooses among what the mirror knows after a fetch. A checkpoint counts only when it stands on the newest commit of
 * the work: an older one would undo what was committed after it. Commits of the kept branch are never dropped.
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
