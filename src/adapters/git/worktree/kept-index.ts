import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { makeQuarantine, type Quarantine, removeQuarantine } from "../process/quarantine.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { readChanges } from "./changes.ts";
import { type HowMuch, type Staged, stage } from "./staging.ts";

/** The staged files of a look at a worktree. The next operation does not read a file again that has not changed. */
interface Look {
  readonly quarantine: Quarantine;
  readonly staged: Staged;
  /** Identifies the worktree's own index, from which the quarantine's index was copied. */
  readonly index: string;
}

/** At most one look per worktree, by its directory. */
const kept = new WeakMap<GitHost, Map<string, Look>>();

/**
 * Runs `work` with every change staged in a quarantine. Reuses the quarantine of the previous look if nothing has
 * changed since. With `keep` it keeps the quarantine for the next operation on the worktree; otherwise it deletes it
 * with everything that was not released.
 */
export async function withStaged<T>(
  host: GitHost,
  ref: WorktreeRef,
  { keep, ...much }: HowMuch & { readonly keep: boolean },
  work: (staged: Staged, quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const look = (await sameLook(host, ref, much)) ?? (await newLook(host, ref, much));
  let isKept = false;
  try {
    const result = await work(look.staged, look.quarantine);
    if (keep && look.staged.unread.length === 0) {
      looksOf(host).set(keyOf(host, ref), look);
      isKept = true;
    }
    return result;
  } finally {
    if (!isKept) await removeQuarantine(look.quarantine);
  }
}

/** Deletes the kept look of a worktree. */
export async function dropLook(host: GitHost, ref: WorktreeRef): Promise<void> {
  const look = takeLook(host, ref);
  if (look !== undefined) await removeQuarantine(look.quarantine);
}

async function newLook(host: GitHost, ref: WorktreeRef, much: HowMuch): Promise<Look> {
  const index = await indexOf(host, ref);
  const quarantine = await makeQuarantine(host, ref);
  try {
    return { index, quarantine, staged: await stage(host, ref, quarantine, much) };
  } catch (error) {
    await removeQuarantine(quarantine);
    throw error;
  }
}

/** Returns the kept look if git, by its index, finds every file unchanged. Otherwise deletes it and returns null. */
async function sameLook(host: GitHost, ref: WorktreeRef, much: HowMuch): Promise<Look | null> {
  const look = takeLook(host, ref);
  if (look === undefined) return null;
  let isSame = false;
  try {
    isSame =
      look.index === (await indexOf(host, ref)) &&
      look.staged.bytes <= Math.min(much.most ?? look.staged.bytes, much.rest ?? look.staged.bytes) &&
      (await isUnchanged(host, ref, look));
    return isSame ? look : null;
  } finally {
    if (!isSame) await removeQuarantine(look.quarantine);
  }
}

async function isUnchanged(host: GitHost, ref: WorktreeRef, { quarantine, staged }: Look): Promise<boolean> {
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

function takeLook(host: GitHost, ref: WorktreeRef): Look | undefined {
  const looks = looksOf(host);
  const look = looks.get(keyOf(host, ref));
  looks.delete(keyOf(host, ref));
  return look;
}

function looksOf(host: GitHost): Map<string, Look> {
  const looks = kept.get(host) ?? new Map<string, Look>();
  kept.set(host, looks);
  return looks;
}

function keyOf(host: GitHost, ref: WorktreeRef): string {
  return worktreePathsOf(host.dataDir, ref).directory;
}
