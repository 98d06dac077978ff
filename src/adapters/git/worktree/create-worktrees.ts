import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { GitError, messageOf, OutsideError } from "../../../domain/kernel/errors.ts";
import { fullName } from "../../../domain/kernel/repository.ts";
import type { BranchDiff, CleanCheckout, WorktreeRef, Worktrees } from "../../../domain/ports/worktrees.ts";
import { readBehind } from "../merge/behind.ts";
import { bringIn } from "../merge/bring-in.ts";
import { branchComparer } from "../merge/compare-branches.ts";
import { mergedOnto } from "../merge/merged-onto.ts";
import { changeReader } from "../merge/read-change.ts";
import { updateBranch } from "../merge/update-branch.ts";
import { saveCheckpoint, treeOfWorktree } from "../mirror/checkpoint.ts";
import { commitAt, headOf } from "../mirror/commits.ts";
import { filesAt, readBlob, readTexts } from "../mirror/files-at.ts";
import { forgetWork } from "../mirror/forget.ts";
import { mirrorGit, openMirror } from "../mirror/mirror.ts";
import { pushBranch, pushCheckpoint } from "../mirror/push.ts";
import { tidyMirror } from "../mirror/tidy.ts";
import { classifyGitError } from "../process/classify-git-error.ts";
import { isDiskFull } from "../process/disk-full.ts";
import { createGitHost, type GitHost, type GitHostOptions } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { readChangedFiles } from "./changed-files.ts";
import { commitAll } from "./commit.ts";
import { bytesOf, Directory } from "./directory.ts";
import { inspectBranch } from "./inspect.ts";
import { dropSetups, dropUnusedSetups, keepSetup, restoreSetup } from "./kept-setups.ts";
import { readPending } from "./pending.ts";
import { prepareWorktree } from "./prepare.ts";
import { buildWorktree } from "./rebuild.ts";
import { removeWorktree } from "./remove.ts";
import { removeTree } from "./remove-tree.ts";
import { restorePaths } from "./restore.ts";
import { readStatus, worktreeState } from "./status.ts";

/**
 * Implements the port Worktrees with git and simple-git, below `dataDir` (mirrors/, worktrees/, archives/, git/,
 * lost/). Runs one call at a time per worktree; different worktrees run in parallel. Throws a plain Error if
 * `serverUrl` is not an http or https URL.
 */
export function createWorktrees(options: GitHostOptions): Worktrees {
  return worktreesOf(createGitHost(options));
}

/** Implements the port on a host that others use too: what works on one mirror must have the same locks. */
export function worktreesOf(host: GitHost): Worktrees {
  const compareBranches = branchComparer(host);
  const changeOf = changeReader(host);
  const alone = <T>(ref: WorktreeRef, work: () => Promise<T>): Promise<T> =>
    host.locks.run(`worktree:${worktreePathsOf(host.dataDir, ref).directory}`, () =>
      told(host, `work on the worktree ${ref.name}`, work),
    );
  const ready = <T>(ref: WorktreeRef, work: () => Promise<T>): Promise<T> =>
    alone(ref, async () => {
      await assertReady(host, ref);
      return work();
    });
  return {
    prepare: async (ref, how) => alone(ref, () => prepareWorktree(host, ref, how)),
    status: async (ref) => alone(ref, () => readStatus(host, ref)),
    commit: async (ref, how) => ready(ref, () => commitAll(host, ref, how)),
    push: async (ref, how) => ready(ref, () => pushBranch(host, ref, how)),
    pending: async (ref, limit) => ready(ref, () => readPending(host, ref, limit)),
    checkpoint: async (ref, how) => ready(ref, () => saveCheckpoint(host, ref, how)),
    // Not under the worktree's lock: no commit waits for the network.
    pushCheckpoint: async (ref, commit) =>
      host.locks.run(`checkpoint:${worktreePathsOf(host.dataDir, ref).directory}`, () =>
        told(host, `push the checkpoint of ${ref.name}`, () => pushCheckpoint(host, ref, commit)),
      ),
    restore: async (ref, paths) => ready(ref, () => restorePaths(host, ref, paths)),
    tree: async (ref) => ready(ref, () => treeOfWorktree(host, ref)),
    diff: async (ref, baseCommit, limit) => alone(ref, () => readDiff(host, ref, baseCommit, limit)),
    filesAt: async (repository, commit, wanted) =>
      told(host, `list files of ${fullName(repository)}`, () => filesAt(host, repository, commit, wanted)),
    blob: async (repository, blob, most) =>
      told(host, `read a file of ${fullName(repository)}`, () => readBlob(host, repository, blob, most)),
    texts: async (repository, blobs) =>
      told(host, `read files of ${fullName(repository)}`, () => readTexts(host, repository, blobs)),
    inspect: async (ref, what) => alone(ref, () => inspectBranch(host, ref, what)),
    changedFiles: async (ref, what) => alone(ref, () => readChangedFiles(host, ref, what)),
    behind: async (ref, base) => alone(ref, () => readBehind(host, ref, base)),
    compareBranches: async (repository, base, candidates) =>
      told(host, `compare branches of ${fullName(repository)}`, () =>
        compareBranches(repository, base, candidates),
      ),
    changeOf: async (repository, commits) =>
      told(host, `read a change of ${fullName(repository)}`, () => changeOf(repository, commits)),
    updateBranch: async (repository, how) =>
      told(host, `update ${how.branch}`, () => updateBranch(host, repository, how)),
    mergedOnto: async (repository, how) =>
      told(host, `read how #${how.pull} was merged`, () => mergedOnto(host, repository, how)),
    bringIn: async (ref, base) => ready(ref, () => bringIn(host, ref, base)),
    digest: async (ref, names) => ready(ref, () => digestFiles(host, ref, names)),
    // A checkout has its own lock, so that an agent's worktree can be read while its checkout is created or deleted.
    checkout: async (ref, commit) => alone(checkoutOf(ref), () => makeCheckout(host, ref, commit)),
    removeCheckout: async (ref) => alone(checkoutOf(ref), () => deleteCheckout(host, ref)),
    remove: async (ref, how) => alone(ref, () => removeWorktree(host, ref, how)),
    forget: async (ref) => alone(ref, () => forgetWork(host, ref)),
    tidy: async (repository) =>
      told(host, `tidy the mirror of ${fullName(repository)}`, async () => {
        await tidyMirror(host, repository);
        await dropUnusedSetups(host, repository.id);
      }),
    keepSetup: async (ref, made) => ready(ref, () => keepSetup(host, ref, made)),
    restoreSetup: async (ref, { into, ...wanted }) => {
      const place = into === "worktree" ? ref : checkoutOf(ref);
      return alone(place, () => restoreSetup(host, place, wanted));
    },
    dropSetups: async (repositoryId) =>
      told(host, "delete kept setups", () => dropSetups(host, repositoryId)),
  };
}

async function assertReady(host: GitHost, ref: WorktreeRef): Promise<void> {
  const state = await worktreeState(host, ref);
  if (state === "ready") return;
  throw new GitError("missing_worktree", `the worktree ${ref.name} is ${state}`, {
    consequence: "stop",
    advice: "Prepare the worktree first. It continues with the work that was saved.",
  });
}

/** Converts system errors such as a full disk or a missing permission to the errors that git would cause. */
function asOutsideError(host: GitHost, error: unknown, purpose: string): OutsideError {
  if (error instanceof OutsideError) return error;
  return classifyGitError({
    purpose,
    stderr: messageOf(error),
    code: null,
    cause: error,
    full: isDiskFull(host),
  });
}

/** Turns every error of `work` into an `OutsideError`. */
function told<T>(host: GitHost, purpose: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw asOutsideError(host, error, purpose);
  });
}

/** Maximum size that is read of a file. No lock file is longer, but an agent may write files of any size. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Returns digests of these files at the top of the worktree, and an identity of the directory itself, which differs
 * after it is recreated.
 */
export async function digestFiles(
  host: GitHost,
  ref: WorktreeRef,
  names: readonly string[],
): Promise<string> {
  const directory = Directory.open(worktreePathsOf(host.dataDir, ref).directory);
  try {
    const { ino, birthtimeMs } = directory.stats;
    const hash = createHash("sha256").update(`${ino} ${birthtimeMs}\n`);
    for (const name of names) {
      // A link could lead anywhere, so only its existence counts.
      const found = directory.lstat(bytesOf(name));
      hash.update(`${name} ${found === null ? "none" : found.isFile() ? "file" : "other"} ${found?.size}\n`);
      if (found?.isFile()) hash.update((await directory.read(bytesOf(name), MOST_BYTES)) ?? "");
    }
    return hash.digest("hex");
  } finally {
    directory.close();
  }
}

/**
 * Compares two commits in the mirror, without a work tree, so that no attribute of the agent's files has an effect. The
 * branch outlives the worktree.
 */
async function readDiff(
  host: GitHost,
  ref: WorktreeRef,
  baseCommit: string,
  limit: number,
): Promise<BranchDiff> {
  assertCommit(baseCommit);
  const { branchRef, mirror } = worktreePathsOf(host.dataDir, ref);
  const isGone = (await worktreeState(host, ref)) === "missing";
  if (!isGone || branchRef === null || !existsSync(mirror)) await assertReady(host, ref);
  const kept = branchRef === null ? null : await commitAt(host, ref.repository, branchRef);
  if (kept === null) await assertReady(host, ref);
  const head = kept ?? (await headOf(host, ref));
  const compare = async (form: readonly string[], enoughBytes?: number) => {
    const { stdout } = await mirrorGit(host, ref.repository, {
      ...(enoughBytes === undefined ? {} : { enoughBytes }),
      args: ["diff-tree", "-r", ...SAFE, ...form, baseCommit, head],
      purpose: "compare the branch with its base",
    });
    return stdout;
  };
  const names = await compare(["--name-only", "-z"]);
  const patch = await compare(["--patch"], limit * MOST_BYTES_OF_A_CHARACTER);
  return { files: names.split("\0").filter((name) => name !== ""), patch: patch.slice(0, limit) };
}

const MOST_BYTES_OF_A_CHARACTER = 4;
const SAFE = ["--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty"];

/** Returns a temporary worktree beside the agent's, which contains nothing but the commit. */
function checkoutOf(ref: WorktreeRef): WorktreeRef {
  return { repository: ref.repository, name: `${ref.name}.checkout`, branch: null };
}

/** Creates a clean detached checkout of the commit, with an empty home beside it. Deletes an existing one first. */
async function makeCheckout(host: GitHost, ref: WorktreeRef, commit: string): Promise<CleanCheckout> {
  assertCommit(commit);
  const checkout = checkoutOf(ref);
  const { directory } = worktreePathsOf(host.dataDir, checkout);
  await openMirror(host, ref.repository);
  await deleteCheckout(host, ref);
  if ((await commitAt(host, ref.repository, commit)) === null)
    throw new GitError("commit_missing", `the commit ${commit} of ${ref.name} is not there`, {
      consequence: "stop",
      advice:
        "The branch was rewritten or the mirror was lost; look at the branch, then start the agent again.",
    });
  await buildWorktree(host, checkout, { head: commit, checkpoint: null, origin: "fresh" });
  const home = homeOf(directory);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return { path: directory, home };
}

/** Deletes the checkout, its home and git's data of it. Idempotent. */
async function deleteCheckout(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { directory, entry } = worktreePathsOf(host.dataDir, checkoutOf(ref));
  for (const path of [directory, homeOf(directory), entry]) await removeTree(path);
}

function homeOf(directory: string): string {
  return `${directory}-home`;
}
