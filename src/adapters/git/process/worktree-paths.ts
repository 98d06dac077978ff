import { join } from "node:path";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { archiveRefOf } from "../../../domain/tasks/archive.ts";
import { assertSafeRef } from "./safe-names.ts";

/** All paths of one repository, and the refs in its mirror that belong to one worktree. */
export interface WorktreePaths {
  /** The bare mirror. */
  readonly mirror: string;
  /** The working directory that the agent edits. */
  readonly directory: string;
  /** git's data of the linked worktree: HEAD, index. It has the same name as the worktree. */
  readonly entry: string;
  readonly branchRef: string | null;
  readonly remoteBranchRef: string | null;
  readonly checkpointRef: string;
  /** The branch's head as we last pushed it. */
  readonly pushedRef: string;
  /** The base commit, stored so that reading the status needs no network. */
  readonly baseRef: string;
  /** The archived work; its bundle also has a ref with this name. */
  readonly archiveRef: string;
  /** The refs below this prefix keep work that other people's pushes replaced. */
  readonly keptRefs: string;
  /** A merge of the base branch that waits for the agent's commit. Its parents are the branch's head and the base. */
  readonly mergingRef: string;
  /** Where the working directory is moved while it is deleted. Its content never counts as work. */
  readonly discarded: string;
  /** The archive of the worktree. */
  readonly archive: string;
}

/** Returns the path of the mirror. It contains the numeric id, so renaming the repository changes nothing on disk. */
export function mirrorPath(dataDir: string, repository: RepositoryRef): string {
  return join(dataDir, "mirrors", `${repository.id}.git`);
}

/** Checks the names, then derives every path and ref from them. Throws `GitError` `bad_name`. */
export function worktreePathsOf(dataDir: string, ref: WorktreeRef): WorktreePaths {
  assertSafeRef(ref);
  const mirror = mirrorPath(dataDir, ref.repository);
  const directory = join(dataDir, "worktrees", String(ref.repository.id), ref.name);
  return {
    mirror,
    directory,
    entry: join(mirror, "worktrees", ref.name),
    branchRef: ref.branch === null ? null : `refs/heads/${ref.branch}`,
    remoteBranchRef: ref.branch === null ? null : `refs/remotes/origin/${ref.branch}`,
    checkpointRef: `refs/flotilla/checkpoints/${ref.name}`,
    pushedRef: `refs/flotilla/pushed/${ref.name}`,
    baseRef: `refs/flotilla/bases/${ref.name}`,
    archiveRef: archiveRefOf(ref.name),
    mergingRef: `refs/flotilla/merging/${ref.name}`,
    keptRefs: `refs/flotilla/kept/${ref.name}`,
    discarded: `${directory}.removed`,
    archive: join(dataDir, "archives", String(ref.repository.id), ref.name),
  };
}
