import { lstat, rename } from "node:fs/promises";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { ArchivedWork, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { bundlePath, keptFiles, readBundle, writeBundle } from "../mirror/bundle.ts";
import { HOST_AUTHOR, MOST_KEPT_BYTES } from "../mirror/checkpoint.ts";
import { commitAt, headOf, isAncestor, readRefs, setRef, writeCommit } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { inQuarantine, type Quarantine, release } from "../process/quarantine.ts";
import { assertSafeBranch } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { treeOf } from "./commit.ts";
import { codeOf, Directory } from "./directory.ts";
import { moveNested } from "./nested.ts";
import { stageAnew } from "./staging.ts";
import { isSafe, worktreeState } from "./status.ts";

/** Work as a commit; uncommitted work with the commit that it is based on. */
interface Work {
  /** The branch's head. */
  readonly head: string;
  /** All content, committed or not. */
  readonly tree: string;
  readonly nested: readonly string[];
  /** Its files are too many to be read: `tree` is the head's, and the directory is kept as it is. */
  readonly isUnread?: true;
}

/** How git fails on a worktree with too many files; a retry would fail in the same way. */
const TOO_MANY = new Set(["too_many_changes", "too_much", "too_slow"]);

/**
 * Archives the work of a worktree, or of a deleted one as the mirror kept it, unless a branch of the server or the base
 * has it; returns null if there is nothing to archive. Idempotent. Moves nested repositories, and a directory with too
 * many changed files, beside the bundle; changes nothing else in the worktree.
 */
export async function archiveWork(
  host: GitHost,
  ref: WorktreeRef,
  base: string,
): Promise<ArchivedWork | null> {
  assertSafeBranch(base);
  return inQuarantine(host, ref, (quarantine) => archiveIn(host, ref, quarantine, base));
}

async function archiveIn(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
  base: string,
): Promise<ArchivedWork | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  const ready = (await worktreeState(host, ref)) === "ready";
  const work = ready ? await workIn(host, ref, quarantine) : await keptWork(host, ref);
  const earlier = await archived(host, ref, work);
  if (earlier === null && !work?.isUnread) await release(host, ref, quarantine);
  const commit = earlier ?? (work === null ? null : await unsaved(host, ref, work, base));
  if (commit === null) return null;
  const path = bundlePath(place, commit);
  if (earlier === null) {
    await setRef(host, ref.repository, place.archiveRef, commit);
    await writeBundle(host, ref, commit);
  }
  if (work?.isUnread) await moveDirectory(host, ref, path);
  else await moveNested(host, ref, work?.nested ?? []);
  return readBundle(host, path);
}

/** Moves the worktree's directory beside the bundle, in one step. */
async function moveDirectory(host: GitHost, ref: WorktreeRef, bundle: string): Promise<void> {
  const { directory } = worktreePathsOf(host.dataDir, ref);
  const opened = Directory.open(directory);
  try {
    // The system refuses to move a directory to another parent if its owner may not write to it.
    opened.allow(0o700);
  } finally {
    opened.close();
  }
  const { next: target } = await keptFiles(bundle);
  try {
    await rename(directory, target);
  } catch (error) {
    throw codeOf(error) === "EXDEV" ? otherFileSystem(ref, error) : error;
  }
  host.log.warn({ worktree: ref.name, target }, "worktree archived whole: too many files changed");
}

/**
 * Builds the error for an archive on another file system. Copying so many files could take very long, and there may not
 * be enough space.
 */
function otherFileSystem(ref: WorktreeRef, cause: unknown): GitError {
  return new GitError(
    "other_file_system",
    `could not archive the work of ${ref.name}: too many files changed, and archives/ is on another file system`,
    {
      consequence: "stop",
      advice:
        "Copy what is of use out of its worktree, then delete that directory; or put worktrees/ and archives/ of the data directory on one file system, with one project quota at most. It is tried again every hour.",
      cause,
    },
  );
}

/** Reads the work without the agent's index, because changes that the index hides are work, too. */
async function workIn(host: GitHost, ref: WorktreeRef, quarantine: Quarantine): Promise<Work> {
  const head = await headOf(host, ref);
  try {
    return { head, ...(await stageAnew(host, ref, quarantine, { rest: MOST_KEPT_BYTES })) };
  } catch (error) {
    if (!(error instanceof GitError && TOO_MANY.has(error.code))) throw error;
    return { head, tree: await treeOf(host, ref, head), nested: [], isUnread: true };
  }
}

/** Returns the work of a deleted worktree: the checkpoint if it is based on the branch's head, otherwise the branch. */
async function keptWork(host: GitHost, ref: WorktreeRef): Promise<Work | null> {
  const { branchRef, checkpointRef } = worktreePathsOf(host.dataDir, ref);
  const refs = await readRefs(host, ref.repository, [branchRef ?? "", checkpointRef].filter(Boolean));
  const branch = refs.get(branchRef ?? "")?.commit ?? null;
  const saved = refs.get(checkpointRef);
  const head = branch ?? saved?.parent ?? null;
  if (head === null) return null;
  const commit = saved?.parent === head ? saved.commit : head;
  return { head, tree: await treeOf(host, ref, commit), nested: [] };
}

/** Returns the commit of a complete archive that holds this work; for deleted work, of any complete archive. */
async function archived(host: GitHost, ref: WorktreeRef, work: Work | null): Promise<string | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  const commit = await commitAt(host, ref.repository, place.archiveRef);
  if (commit === null || (await lstat(bundlePath(place, commit)).catch(() => null)) === null) return null;
  if ((await worktreeState(host, ref)) !== "ready" || work === null) return commit;
  const same = (await treeOf(host, ref, commit)) === work.tree;
  return same && (await isAncestor(host, ref.repository, work.head, commit)) ? commit : null;
}

/** Returns the commit to archive; null if all of it exists elsewhere. */
async function unsaved(host: GitHost, ref: WorktreeRef, work: Work, base: string): Promise<string | null> {
  const committed = (await treeOf(host, ref, work.head)) === work.tree;
  const safe = committed && (await isSafe(host, ref, work.head));
  const isAllInCommit = work.nested.length === 0 && !work.isUnread;
  if (safe && isAllInCommit) return null;
  const commit =
    committed && !safe
      ? work.head
      : await writeCommit(host, ref, {
          tree: work.tree,
          parents: [work.head],
          message: `What ${ref.name} had not committed`,
          author: HOST_AUTHOR,
        });
  if (isAllInCommit && (await isInBase(host, ref, commit, base))) return null;
  return commit;
}

/**
 * Returns whether the base branch, as last fetched, contains every change of the commit. After a squash merge it
 * contains the changes, but not our commits.
 */
async function isInBase(host: GitHost, ref: WorktreeRef, commit: string, base: string): Promise<boolean> {
  const tip = await commitAt(host, ref.repository, `refs/remotes/origin/${base}`);
  if (tip === null) return false;
  const { code, stdout } = await mirrorGit(host, ref.repository, {
    args: ["merge-tree", "--write-tree", "--no-messages", tip, commit],
    purpose: "look for the work in the base branch",
    answers: [1, 128],
  });
  return code === 0 && stdout.trim() === (await treeOf(host, ref, tip));
}
