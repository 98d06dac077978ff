import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { GitHost } from "../process/git-host.ts";
import type { WorktreePaths } from "../process/worktree-paths.ts";

/** A living git process never holds an index lock this long. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * Removes ref locks that an earlier process left in the mirror. Keeps younger ones, which may belong to a running git
 * of ours. Call under the mirror's lock.
 */
export async function clearRefLocks(host: GitHost, mirror: string): Promise<void> {
  const names = await readdir(join(mirror, "refs"), { recursive: true });
  const locks = names.filter((name) => name.endsWith(".lock")).map((name) => join(mirror, "refs", name));
  for (const lock of [...locks, join(mirror, "packed-refs.lock"), join(mirror, "HEAD.lock")]) {
    await removeIfOlder(host, lock, performance.timeOrigin);
  }
}

/**
 * Removes the locks of one worktree. Set `all` if nothing else can be working in it; otherwise removes only locks that
 * no living git can hold, older than a minute. Call under the worktree's lock.
 */
export async function clearEntryLocks(host: GitHost, place: WorktreePaths, all: boolean): Promise<void> {
  const before = all ? Number.POSITIVE_INFINITY : Date.now() - ABANDONED_AFTER_MS;
  for (const name of ["index.lock", "HEAD.lock"]) await removeIfOlder(host, join(place.entry, name), before);
}

async function removeIfOlder(host: GitHost, lock: string, before: number): Promise<void> {
  const found = await stat(lock).catch(() => null);
  if (found === null || found.mtimeMs >= before) return;
  host.log.warn({ lock }, "stale git lock removed");
  await rm(lock, { force: true });
}
