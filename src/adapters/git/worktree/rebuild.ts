import { lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { readRefs, setRef } from "../mirror/commits.ts";
import { mirrorGit, withoutFetch } from "../mirror/mirror.ts";
import { clearEntryLocks } from "../mirror/stale-locks.ts";
import type { StartPoint } from "../mirror/start-point.ts";
import { filesGit, isolatedGit } from "../process/files-git.ts";
import type { GitHost } from "../process/git-host.ts";
import { treeGit } from "../process/tree-git.ts";
import { type WorktreePaths, worktreePathsOf } from "../process/worktree-paths.ts";

/**
 * Builds the working directory at the given start. The entry stays locked until every file is written: a crash before
 * that leaves an unfinished worktree, which the next prepare deletes and builds again. Directory and entry must not
 * exist.
 */
export async function buildWorktree(host: GitHost, ref: WorktreeRef, start: StartPoint): Promise<void> {
  const place = worktreePathsOf(host.dataDir, ref);
  const target =
    ref.branch === null ? ["--detach", place.directory, start.head] : [place.directory, ref.branch];
  await mkdir(dirname(place.directory), { recursive: true, mode: 0o700 });
  await host.locks.run(`mirror:${place.mirror}`, async () => {
    await assertBranchFree(place, ref);
    if (place.branchRef !== null) await setRef(host, ref.repository, place.branchRef, start.head);
    // Waits for fetches: a fetch reads the head of every worktree, and a new one has none yet.
    await withoutFetch(host, ref.repository, () =>
      mirrorGit(host, ref.repository, {
        args: ["worktree", "add", "--no-checkout", "--lock", "--quiet", ...target],
        purpose: `make the worktree ${ref.name}`,
      }),
    );
  });
  await writeFiles(host, ref, start);
  await rm(join(place.entry, "locked"), { force: true });
}

/** Enough for the files of a large repository on a slow disk. */
const WRITE_LIMIT_MS = 10 * 60_000;

/** Sets files and index to the start. The entry must be locked. */
export async function writeFiles(host: GitHost, ref: WorktreeRef, start: StartPoint): Promise<void> {
  const purpose = "write the files of the worktree";
  await filesGit(host, ref, {
    args: ["read-tree", "--reset", "-u", start.checkpoint ?? start.head],
    limitMs: WRITE_LIMIT_MS,
    purpose,
  });
  if (start.checkpoint === null) return;
  // The files stay those of the checkpoint and the index becomes the head's, so the difference is uncommitted again.
  await treeGit(host, ref, { args: ["read-tree", start.head], purpose });
  await isolatedGit(host, ref, { args: ["update-index", "-q", "--refresh"], purpose, answers: [1] });
}

/**
 * Completes a replacement of files that a crash interrupted: the files become those of the branch's head, with the
 * checkpoint on top if it is based on that head. A worktree that cannot be read stays unchanged.
 */
export async function finishRewriting(host: GitHost, ref: WorktreeRef): Promise<void> {
  const place = worktreePathsOf(host.dataDir, ref);
  const { branchRef, checkpointRef } = place;
  if (branchRef === null) return;
  const refs = await readRefs(host, ref.repository, [branchRef, checkpointRef]);
  const head = refs.get(branchRef)?.commit;
  const saved = refs.get(checkpointRef);
  if (head === undefined) return;
  // No agent is working in it, so every lock here is stale.
  await clearEntryLocks(host, place, true);
  const checkpoint = saved?.parent === head ? saved.commit : null;
  try {
    await writeFiles(host, ref, { head, checkpoint, origin: "checkpoint" });
    await rm(join(place.entry, "locked"), { force: true });
  } catch (error) {
    if (!(error instanceof GitError && ["corrupt", "unfit_names", "unknown"].includes(error.code)))
      throw error;
    host.log.warn({ worktree: ref.name, error: error.message }, "worktree damaged");
  }
}

/**
 * Throws if another worktree has checked out the branch. git refuses such a branch, and also counts entries whose
 * directory is gone.
 */
async function assertBranchFree(place: WorktreePaths, ref: WorktreeRef): Promise<void> {
  if (place.branchRef === null) return;
  const entries = join(place.mirror, "worktrees");
  for (const name of await readdir(entries).catch(() => [])) {
    const head = await readFile(join(entries, name, "HEAD"), "utf8").catch(() => "");
    if (name === ref.name || head.trim() !== `ref: ${place.branchRef}`) continue;
    const directory = join(dirname(place.directory), name);
    if ((await lstat(directory).catch(() => null)) !== null) {
      // The agent that had it may be about to remove it.
      throw new GitError("branch_in_use", `branch ${ref.branch} is checked out in worktree ${name}`, {
        consequence: "retry",
        advice: `Finish or remove the agent ${name}, then retry.`,
      });
    }
    await rm(join(entries, name), { recursive: true, force: true });
  }
}
