import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { GitError, messageOf } from "../../../domain/kernel/errors.ts";
import { fullName } from "../../../domain/kernel/repository.ts";
import type { WorktreePrepared, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { rebaseOntoRemote } from "../merge/rebase-onto-remote.ts";
import { withChangeOf } from "../merge/with-change-of.ts";
import { baseOf, commitAt, headOf, objectsAt, setRef } from "../mirror/commits.ts";
import { askDefaultBranch, fetchBranches, fetchCommits, mirrorGit, openMirror } from "../mirror/mirror.ts";
import { fetchCheckpoint } from "../mirror/saved-checkpoint.ts";
import { clearEntryLocks } from "../mirror/stale-locks.ts";
import { chooseStart, type StartPoint } from "../mirror/start-point.ts";
import { filesGit } from "../process/files-git.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { treeGit } from "../process/tree-git.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { ensureExactFile } from "./exact-file.ts";
import { buildWorktree, finishRewriting } from "./rebuild.ts";
import { deleteWorktree, moveAside } from "./remove.ts";
import { worktreeState } from "./status.ts";

interface Options {
  readonly base: string | null;
  readonly reusePushed: boolean;
  readonly commit?: string;
  readonly pull?: number;
  readonly changeOf?: string;
  readonly saved?: readonly string[];
}

/** Prepares the worktree. With `reusePushed` it puts the work on top of commits that somebody else pushed. */
export async function prepareWorktree(
  host: GitHost,
  ref: WorktreeRef,
  options: Options,
): Promise<WorktreePrepared> {
  const prepared = await existingWorktree(host, ref, options);
  const takenUp = options.reusePushed ? await rebaseOntoRemote(host, ref, prepared.head) : null;
  return takenUp === null ? prepared : { ...prepared, head: takenUp.head, takenUp };
}

/** Keeps a healthy worktree with everything in it, completes one that a crash interrupted, or rebuilds it. */
async function existingWorktree(
  host: GitHost,
  ref: WorktreeRef,
  options: Options,
): Promise<WorktreePrepared> {
  const { directory, baseRef, checkpointRef } = worktreePathsOf(host.dataDir, ref);
  if (options.base !== null) assertSafeBranch(options.base);
  await openMirror(host, ref.repository);
  const kept = await keepExisting(host, ref, options);
  if (kept !== null) return kept;

  const baseTip = await fetchBase(host, ref, options.base);
  if ((await commitAt(host, ref.repository, checkpointRef)) === null)
    await fetchCheckpoint(host, ref, options.saved ?? []);
  const chosen =
    options.commit === undefined
      ? await chooseStart(host, ref, { baseTip, reusePushed: options.reusePushed })
      : await startAt(host, ref, options.commit, options.pull);
  const start =
    options.changeOf === undefined || chosen.origin !== "fresh"
      ? chosen
      : await withChangeOf(host, ref, chosen, options.changeOf);
  await buildWorktree(host, ref, start);
  host.crashPoint("git:prepared");
  const baseCommit = await whereWorkBegan(host, ref, start.head, baseTip);
  await setRef(host, ref.repository, baseRef, baseCommit);
  const { head, origin, checkpoint } = start;
  return { path: directory, baseCommit, head, origin, checkpoint };
}

async function startAt(
  host: GitHost,
  ref: WorktreeRef,
  commit: string,
  pull: number | undefined,
): Promise<StartPoint> {
  assertCommit(commit);
  // The head of a pull request from a fork is on no branch here.
  if (pull !== undefined && (await commitAt(host, ref.repository, commit)) === null)
    await fetchCommits(host, ref.repository, `refs/pull/${pull}/head`);
  if ((await commitAt(host, ref.repository, commit)) !== null)
    return { head: commit, checkpoint: null, origin: "fresh" };
  throw new GitError("commit_missing", `the commit ${commit} is not on any branch of the server`, {
    consequence: "stop",
    advice: "The branch was rewritten; look at it, then ask for the review again.",
  });
}

/** Returns the worktree if it exists and is healthy. Otherwise returns null, with nothing in the way of a new one. */
async function keepExisting(
  host: GitHost,
  ref: WorktreeRef,
  options: Options,
): Promise<WorktreePrepared | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  let state = await worktreeState(host, ref);
  if (state === "interrupted") {
    await finishRewriting(host, ref);
    state = await worktreeState(host, ref);
  }
  // The server answers while the worktree is checked. Waits for both: a fetch reads the head of every worktree, so
  // nothing may be deleted before it ends.
  const fetching = state === "ready" ? fetchBranches(host, ref.repository) : Promise.resolve();
  const fetched = fetching.catch(() => undefined);
  let head: string | null = null;
  try {
    if (state === "ready") head = await repairedHead(host, ref);
  } finally {
    await fetched;
  }
  if (head === null) {
    if (["ready", "interrupted", "orphan"].includes(state)) await moveAside(host, ref);
    await deleteWorktree(host, ref);
    return null;
  }
  await ensureExactFile(join(place.directory, ".git"), `gitdir: ${place.entry}\n`, 0o644);
  const baseCommit = await refreshBase(host, ref, { base: options.base, head, fetching });
  return { path: place.directory, baseCommit, head, origin: "existing", checkpoint: null };
}

/**
 * Clears the locks of a worktree, rebuilds its index if that is unreadable, and returns its head; null if its commit is
 * lost.
 */
async function repairedHead(host: GitHost, ref: WorktreeRef): Promise<string | null> {
  const place = worktreePathsOf(host.dataDir, ref);
  // No agent runs while its worktree is prepared, so every lock here is stale.
  await clearEntryLocks(host, place, true);
  try {
    const head = await headOf(host, ref);
    if (!(await isIndexReadable(host, ref))) {
      host.log.warn({ worktree: ref.name }, "unreadable git index rebuilt");
      await rm(join(place.entry, "index"), { recursive: true, force: true });
      await treeGit(host, ref, { args: ["read-tree", head], purpose: "make the index again" });
    }
    return head;
  } catch (error) {
    // A full disk or a lock does not mean damage: the files must stay where they are.
    if (!(error instanceof GitError && ["corrupt", "unknown"].includes(error.code))) throw error;
    host.log.warn({ worktree: ref.name, error: error.message }, "worktree damaged");
    return null;
  }
}

async function isIndexReadable(host: GitHost, ref: WorktreeRef): Promise<boolean> {
  const { entry } = worktreePathsOf(host.dataDir, ref);
  if (!(await lstat(join(entry, "index")).catch(() => null))?.isFile()) return false;
  try {
    await filesGit(host, ref, {
      args: ["update-index", "-q", "--refresh"],
      purpose: "read the index",
      answers: [1],
    });
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === "corrupt") return false;
    throw error;
  }
}

/**
 * Returns the base of existing work, from what the fetch brings; the remembered base if the server does not answer.
 * Asks the server for its default branch only if `base` is null.
 */
async function refreshBase(
  host: GitHost,
  ref: WorktreeRef,
  {
    base,
    head,
    fetching,
  }: { readonly base: string | null; readonly head: string; readonly fetching: Promise<void> },
): Promise<string> {
  const { baseRef } = worktreePathsOf(host.dataDir, ref);
  try {
    await fetching;
    const branch = base ?? (await askDefaultBranch(host, ref.repository));
    const [baseTip = null, remembered = null] =
      branch === null ? [] : await objectsAt(host, ref, [tipOf(branch), `${baseRef}^{commit}`]);
    if (baseTip === null) throw baseNotFound(ref, branch);
    const baseCommit = await whereWorkBegan(host, ref, head, baseTip);
    if (baseCommit !== remembered) await setRef(host, ref.repository, baseRef, baseCommit);
    return baseCommit;
  } catch (error) {
    const remembered = await baseOf(host, ref);
    if (remembered === null) throw error;
    host.log.warn(
      { worktree: ref.name, error: messageOf(error) },
      "base branch not fetched: the server did not answer",
    );
    return remembered;
  }
}

async function fetchBase(host: GitHost, ref: WorktreeRef, base: string | null): Promise<string> {
  await fetchBranches(host, ref.repository);
  const branch = base ?? (await askDefaultBranch(host, ref.repository));
  const baseTip = branch === null ? null : await commitAt(host, ref.repository, tipOf(branch));
  if (baseTip === null) throw baseNotFound(ref, branch);
  return baseTip;
}

/** Names the last fetched commit of a branch of the server. */
function tipOf(branch: string): string {
  assertSafeBranch(branch);
  return `refs/remotes/origin/${branch}^{commit}`;
}

function baseNotFound({ repository }: WorktreeRef, branch: string | null): GitError {
  return new GitError(
    "base_not_found",
    `${fullName(repository)} has no ${branch === null ? "commit on its default branch" : `branch ${branch}`}`,
    { consequence: "tell", advice: "Name a base branch that exists, or make the first commit, then retry." },
  );
}

/** Returns the commit that the work starts from. For unrelated histories that is the base's tip. */
async function whereWorkBegan(
  host: GitHost,
  ref: WorktreeRef,
  head: string,
  baseTip: string,
): Promise<string> {
  if (head === baseTip) return head;
  const { code, stdout } = await mirrorGit(host, ref.repository, {
    args: ["merge-base", head, baseTip],
    purpose: "find the commit that the work starts from",
    answers: [1],
  });
  return code === 0 ? stdout.trim() : baseTip;
}
