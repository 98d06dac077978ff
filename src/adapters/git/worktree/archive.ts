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

/** Work as a commit, and as far as it is not committed yet, on which commit. */
interface Work {
  /** The branch's head. */
  readonly head: string;
  /** All content, committed or not. */
  readonly tree: string;
  readonly nested: readonly string[];
  /** Its files are too many to be read: `tree` is the head's, and the directory is kept as it is. */
  readonly isUnread?: true;
}

/** What git on the files of a worktree ends with where they are too many: trying again would not end either. */
const TOO_MANY = new Set(["too_many_changes", "too_much", "too_slow"]);

/**
 * Archives what a worktree, or what the mirror kept of one that is gone, holds and neither a branch of the server nor the
 * base branch does; null when there is nothing. Idempotent: what was archived is not archived again. Changes nothing in
 * the worktree, but that nested repositories, which no commit can hold, are moved beside the bundle; and where more files
 * changed than can be read, the whole directory is.
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
  const standing = await archived(host, ref, work);
  if (standing === null && !work?.isUnread) await release(host, ref, quarantine);
  const commit = standing ?? (work === null ? null : await unsaved(host, ref, work, base));
  if (commit === null) return null;
  const path = bundlePath(place, commit);
  if (standing === null) {
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
    // The system moves no directory to another parent that its owner may not write.
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
  host.log.warn({ worktree: ref.name, target }, "kept a worktree as it is: too many of its files changed");
}

/** So many files are not copied: nobody could say how long that takes, or whether there is room. */
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

/** Read without the agent's index: what it hides from itself is work, too. */
async function workIn(host: GitHost, ref: WorktreeRef, quarantine: Quarantine): Promise<Work> {
  const head = await headOf(host, ref);
  try {
    return { head, ...(await stageAnew(host, ref, quarantine, { rest: MOST_KEPT_BYTES })) };
  } catch (error) {
    if (!(error instanceof GitError && TOO_MANY.has(error.code))) throw error;
    return { head, tree: await treeOf(host, ref, head), nested: [], isUnread: true };
  }
}

/** Of a worktree that is gone: the checkpoint where it stands on the branch's head, else the branch. */
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

/** The commit of an archive that is whole and holds this work; of work that is gone, of any. */
async function archived(host: GitHost, ref: WorktreeRef, work: Work | null): Promise<string | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  const commit = await commitAt(host, ref.repository, place.archiveRef);
  if (commit === null || (await lstat(bundlePath(place, commit)).catch(() => null)) === null) return null;
  if ((await worktreeState(host, ref)) !== "ready" || work === null) return commit;
  const same = (await treeOf(host, ref, commit)) === work.tree;
  return same && (await isAncestor(host, ref.repository, work.head, commit)) ? commit : null;
}

/** The commit to be archived; null when all of it is elsewhere. */
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

/** True when the base branch, as last fetched, has every change of the commit: a squashed merge leaves no commit of ours. */
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
