import { GitError, messageOf, OutsideError } from "../core/errors.ts";
import type { WorktreeRef, Worktrees } from "../core/ports/worktrees.ts";
import { fullName } from "../core/repository.ts";
import { readBehind } from "./behind.ts";
import { bringIn } from "./bring-in.ts";
import { checkoutOf, deleteCheckout, makeCheckout } from "./checkout.ts";
import { saveCheckpoint, treeOfWorktree } from "./checkpoint.ts";
import { classifyGitError } from "./classify-git-error.ts";
import { commitAll } from "./commit.ts";
import { readDiff } from "./diff.ts";
import { isDiskFull } from "./disk-full.ts";
import { forgetWork } from "./forget.ts";
import { createGitHost, type GitHost, type GitHostOptions } from "./git-host.ts";
import { inspectBranch } from "./inspect.ts";
import { readPending } from "./pending.ts";
import { placeOf } from "./places.ts";
import { prepareWorktree } from "./prepare.ts";
import { pushBranch } from "./push.ts";
import { removeWorktree } from "./remove.ts";
import { restorePaths } from "./restore.ts";
import { digestFiles } from "./setup-digest.ts";
import { standingsReader } from "./standings.ts";
import { readStatus, worktreeState } from "./status.ts";
import { tidyMirror } from "./tidy.ts";
import { updateBranch } from "./update-branch.ts";

/**
 * The real Worktrees: git by simple-git, below `dataDir` (mirrors/, worktrees/, archives/, git/, lost/). One call at a time per
 * worktree; different worktrees run side by side. Throws a plain Error when `serverUrl` is no http or https URL.
 */
export function createWorktrees(options: GitHostOptions): Worktrees {
  const host = createGitHost(options);
  const readStandings = standingsReader(host);
  const alone = <T>(ref: WorktreeRef, work: () => Promise<T>): Promise<T> =>
    host.locks.run(`worktree:${placeOf(host.dataDir, ref).directory}`, () =>
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
    push: async (ref) => ready(ref, () => pushBranch(host, ref)),
    pending: async (ref, limit) => ready(ref, () => readPending(host, ref, limit)),
    checkpoint: async (ref, how) => ready(ref, () => saveCheckpoint(host, ref, how)),
    restore: async (ref, paths) => ready(ref, () => restorePaths(host, ref, paths)),
    tree: async (ref) => ready(ref, () => treeOfWorktree(host, ref)),
    diff: async (ref, baseCommit, limit) => ready(ref, () => readDiff(host, ref, baseCommit, limit)),
    inspect: async (ref, what) => alone(ref, () => inspectBranch(host, ref, what)),
    behind: async (ref, base) => alone(ref, () => readBehind(host, ref, base)),
    standings: async (repository, base, candidates) =>
      told(host, `compare branches of ${fullName(repository)}`, () =>
        readStandings(repository, base, candidates),
      ),
    updateBranch: async (repository, how) =>
      told(host, `update ${how.branch}`, () => updateBranch(host, repository, how)),
    bringIn: async (ref, base) => ready(ref, () => bringIn(host, ref, base)),
    digest: async (ref, names) => ready(ref, () => digestFiles(host, ref, names)),
    // A place of its own: an agent's worktree may be looked at while its checkout is made or removed.
    checkout: async (ref, commit) => alone(checkoutOf(ref), () => makeCheckout(host, ref, commit)),
    removeCheckout: async (ref) => alone(checkoutOf(ref), () => deleteCheckout(host, ref)),
    remove: async (ref, how) => alone(ref, () => removeWorktree(host, ref, how)),
    forget: async (ref) => alone(ref, () => forgetWork(host, ref)),
    tidy: async (repository) =>
      told(host, `tidy the mirror of ${fullName(repository)}`, () => tidyMirror(host, repository)),
  };
}

async function assertReady(host: GitHost, ref: WorktreeRef): Promise<void> {
  const state = await worktreeState(host, ref);
  if (state === "ready") return;
  throw new GitError("missing_worktree", `the worktree ${ref.name} is ${state}`, {
    consequence: "stop",
    advice: "Prepare the worktree first; what was saved is taken up again.",
  });
}

/** A full disk or a missing permission met by us instead of by git says the same words. */
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

/** Whatever goes wrong is told as an `OutsideError`. */
function told<T>(host: GitHost, purpose: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw asOutsideError(host, error, purpose);
  });
}
