import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../core/errors.ts";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { commitAt, setRef } from "./commits.ts";
import type { GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";
import { pushCheckpoint } from "./push.ts";
import { readStatus, worktreeState } from "./status.ts";

/**
 * Removes a worktree whose work is safe; a checkout without a branch is thrown away whatever it holds. The branch stays
 * in the mirror. Checkpoints go: with everything pushed, they could only bring back what was discarded.
 */
export async function removeWorktree(
  host: GitHost,
  ref: WorktreeRef,
): Promise<{ removed: true } | { removed: false; reason: "dirty" | "unpushed" }> {
  const place = placeOf(host.dataDir, ref);
  if ((await stat(place.mirror).catch(() => null)) === null) {
    await deleteWorktree(host, ref);
    return { removed: true };
  }
  const status = await readStatus(host, ref);
  if (ref.branch !== null && status.exists && !status.clean) return { removed: false, reason: "dirty" };
  if (ref.branch !== null && status.exists && !status.pushed) return { removed: false, reason: "unpushed" };
  if (ref.branch !== null && (await worktreeState(host, ref)) === "orphan") await setAside(host, ref);
  await deleteWorktree(host, ref);
  if (!status.exists) return { removed: true };
  const checkpoint = await commitAt(host, ref.repository, place.checkpointRef);
  await setRef(host, ref.repository, place.baseRef, null);
  if (checkpoint === null) return { removed: true };
  await setRef(host, ref.repository, place.checkpointRef, null);
  await pushCheckpoint(host, ref, null).catch((error: unknown) => {
    host.log.info({ worktree: ref.name, error: messageOf(error) }, "left a checkpoint on the server");
  });
  return { removed: true };
}

/**
 * Deletes the directory, then git's data of it. By hand and not by `worktree remove` or `prune`, which refuse locked
 * entries and also drop those of other agents. Idempotent; nothing is asked.
 */
export async function deleteWorktree(host: GitHost, ref: WorktreeRef): Promise<void> {
  const place = placeOf(host.dataDir, ref);
  await rm(place.directory, { recursive: true, force: true });
  await rm(place.entry, { recursive: true, force: true });
}

/** Moves a directory aside that git no longer knows: it may hold work. */
export async function setAside(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { directory } = placeOf(host.dataDir, ref);
  const lost = join(host.dataDir, "lost", String(ref.repository.id));
  await mkdir(lost, { recursive: true, mode: 0o700 });
  const target = join(lost, `${basename(directory)}-${Date.now()}`);
  await rename(directory, target);
  host.log.warn({ worktree: ref.name, target }, "moved a directory aside that git does not know");
}
