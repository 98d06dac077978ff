import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { makeQuarantine, type Quarantine, removeQuarantine } from "../process/quarantine.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { readChanges } from "./changes.ts";
import { type HowMuch, type Staged, stage } from "./staging.ts";

/** The staged files of a worktree. The next operation does not read a file again that has not changed. */
interface Staging {
  readonly quarantine: Quarantine;
  readonly staged: Staged;
  /** Identifies the worktree's own index, from which the quarantine's index was copied. */
  readonly index: string;
}

/** At most one staging per worktree, by its directory. */
const kept = new WeakMap<GitHost, Map<string, Staging>>();

/**
 * Runs `work` with every change staged in a quarantine. Reuses the quarantine of the previous staging if nothing has
 * changed since. With `keep` it keeps the quarantine for the next operation on the worktree; otherwise it deletes it
 * with everything that was not released.
 */
export async function withStaged<T>(
  host: GitHost,
  ref: WorktreeRef,
  { keep, ...much }: HowMuch & { readonly keep: boolean },
  work: (staged: Staged, quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const staging = (await unchangedStaging(host, ref, much)) ?? (await newStaging(host, ref, much));
  let isKept = false;
  try {
    const result = await work(staging.staged, staging.quarantine);
    if (keep && staging.staged.unread.length === 0) {
      stagingsOf(host).set(keyOf(host, ref), staging);
      isKept = true;
    }
    return result;
  } finally {
    if (!isKept) await removeQuarantine(staging.quarantine);
  }
}

/** Deletes the kept staging of a worktree. */
export async function dropStaging(host: GitHost, ref: WorktreeRef): Promise<void> {
  const staging = takeStaging(host, ref);
  if (staging !== undefined) await removeQuarantine(staging.quarantine);
}

async function newStaging(host: GitHost, ref: WorktreeRef, much: HowMuch): Promise<Staging> {
  const index = await indexOf(host, ref);
  const quarantine = await makeQuarantine(host, ref);
  try {
    return { index, quarantine, staged: await stage(host, ref, quarantine, much) };
  } catch (error) {
    await removeQuarantine(quarantine);
    throw error;
  }
}

/** Returns the kept staging if git, by its index, finds every file unchanged. Otherwise deletes it and returns null. */
async function unchangedStaging(host: GitHost, ref: WorktreeRef, much: HowMuch): Promise<Staging | null> {
  const staging = takeStaging(host, ref);
  if (staging === undefined) return null;
  let isSame = false;
  try {
    isSame =
      staging.index === (await indexOf(host, ref)) &&
      staging.staged.bytes <=
        Math.min(much.most ?? staging.staged.bytes, much.rest ?? staging.staged.bytes) &&
      (await isUnchanged(host, ref, staging));
    return isSame ? staging : null;
  } finally {
    if (!isSame) await removeQuarantine(staging.quarantine);
  }
}

async function isUnchanged(
  host: GitHost,
  ref: WorktreeRef,
  { quarantine, staged }: Staging,
): Promise<boolean> {
  const leftOut = new Set([...staged.repositories, ...staged.refused]);
  const changes = await readChanges(host, ref, quarantine);
  return changes.every(({ path, staged: isStaged }) => isStaged || leftOut.has(path));
}

/** Returns an identity that changes with each write of the worktree's own index. */
async function indexOf(host: GitHost, ref: WorktreeRef): Promise<string> {
  const index = join(worktreePathsOf(host.dataDir, ref).entry, "index");
  const found = await stat(index, { bigint: true }).catch(() => null);
  return found === null ? "none" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

function takeStaging(host: GitHost, ref: WorktreeRef): Staging | undefined {
  const stagings = stagingsOf(host);
  const staging = stagings.get(keyOf(host, ref));
  stagings.delete(keyOf(host, ref));
  return staging;
}

function stagingsOf(host: GitHost): Map<string, Staging> {
  const stagings = kept.get(host) ?? new Map<string, Staging>();
  kept.set(host, stagings);
  return stagings;
}

function keyOf(host: GitHost, ref: WorktreeRef): string {
  return worktreePathsOf(host.dataDir, ref).directory;
}
