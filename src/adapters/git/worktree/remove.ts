import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { ArchivedWork, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { commitAt, setRef } from "../mirror/commits.ts";
import { fetchBranches } from "../mirror/mirror.ts";
import { pushCheckpoint } from "../mirror/push.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { archiveWork } from "./archive.ts";
import { dropStaging } from "./kept-index.ts";
import { finishRewriting } from "./rebuild.ts";
import { removeTree } from "./remove-tree.ts";
import { worktreeState } from "./status.ts";

/**
 * Removes a worktree. Archives work that exists nowhere else; deletes a checkout without a branch whatever it contains.
 * Keeps the branch in the mirror. If all work exists elsewhere, it first deletes the checkpoints, which could only
 * restore discarded work.
 */
export async function removeWorktree(
  host: GitHost,
  ref: WorktreeRef,
  { base }: { readonly base: string },
): Promise<{ archive: ArchivedWork | null }> {
  const place = worktreePathsOf(host.dataDir, ref);
  if (ref.branch === null || (await stat(place.mirror).catch(() => null)) === null) {
    await deleteWorktree(host, ref);
    return { archive: null };
  }
  if ((await worktreeState(host, ref)) === "interrupted") await finishRewriting(host, ref);
  if (["interrupted", "orphan"].includes(await worktreeState(host, ref))) await moveAside(host, ref);
  // A branch may have been merged or deleted since. If the server does not answer, the last known state counts.
  await fetchBranches(host, ref.repository).catch((error: unknown) => {
    host.log.info({ worktree: ref.name, error: messageOf(error) }, "server's refs not read");
  });
  const archive = await archiveWork(host, ref, base);
  if (archive === null) await dropCheckpoint(host, ref);
  host.crashPoint("git:archived");
  await deleteWorktree(host, ref);
  return { archive };
}

/** Deletes the checkpoint and the remembered base. Deleting the server's checkpoint is optional and may fail. */
export async function dropCheckpoint(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { baseRef, checkpointRef } = worktreePathsOf(host.dataDir, ref);
  const checkpoint = await commitAt(host, ref.repository, checkpointRef);
  await setRef(host, ref.repository, baseRef, null);
  if (checkpoint === null) return;
  await setRef(host, ref.repository, checkpointRef, null);
  await pushCheckpoint(host, ref, null).catch((error: unknown) => {
    host.log.info({ worktree: ref.name, error: messageOf(error) }, "checkpoint on the server not deleted");
  });
}

/**
 * Deletes the directory and git's data of it, without any checks. Does not use `worktree remove` or `prune`, which
 * refuse locked entries and also delete those of other agents. The directory stops being a worktree in one step: a
 * partially deleted one would look like work with deleted files. Idempotent.
 */
export async function deleteWorktree(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { directory, discarded, entry } = worktreePathsOf(host.dataDir, ref);
  await dropStaging(host, ref);
  await removeTree(discarded);
  try {
    await rename(directory, discarded);
    host.crashPoint("git:removing");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  await rm(entry, { recursive: true, force: true });
  await removeTree(discarded);
}

/** Moves a directory aside that git no longer knows, because it may contain work. */
export async function moveAside(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { directory } = worktreePathsOf(host.dataDir, ref);
  const lost = join(host.dataDir, "lost", String(ref.repository.id));
  await mkdir(lost, { recursive: true, mode: 0o700 });
  const target = join(lost, `${basename(directory)}-${Date.now()}`);
  await rename(directory, target);
  host.log.warn({ worktree: ref.name, target }, "directory unknown to git moved aside");
}
