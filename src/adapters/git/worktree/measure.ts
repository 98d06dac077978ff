import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import type { PendingFile } from "../../../domain/ports/agent-tables.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { unquoted } from "../process/quoted-path.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import type { Change } from "./changes.ts";
import { visitPaths } from "./paths-below.ts";

/** A change with the lstat of its path; null if the path does not exist. */
export interface Measured {
  readonly change: Change;
  readonly stats: Stats | null;
}

/** Measures the path of each change. Reads no content and follows no links, so that large files cost nothing. */
export async function measure(
  host: GitHost,
  ref: WorktreeRef,
  changes: readonly Change[],
): Promise<readonly Measured[]> {
  const found: Measured[] = changes.map((change) => ({ change, stats: null }));
  const paths = changes.map(({ quoted }) => unquoted(quoted));
  await visitPaths(worktreePathsOf(host.dataDir, ref).directory, paths, (place, index) => {
    const [change, stats] = [changes[index], place?.directory.lstat(place.name) ?? null];
    if (change !== undefined) found[index] = { change, stats };
  });
  return found;
}

export function sumOf(measured: readonly Measured[]): number {
  return measured.reduce((sum, one) => sum + bytesIn(one), 0);
}

function bytesIn({ stats }: Measured): number {
  return stats === null || stats.isDirectory() ? 0 : stats.size;
}

/** Returns the largest files: as many as must be left out for the rest to have at most `keep` bytes. */
export function largestBeyond(measured: readonly Measured[], keep: number): ReadonlySet<Change> {
  let rest = sumOf(measured);
  const left = new Set<Change>();
  for (const one of measured.toSorted((a, b) => bytesIn(b) - bytesIn(a))) {
    if (rest <= keep) break;
    rest -= bytesIn(one);
    left.add(one.change);
  }
  return left;
}

const UNREAD = "unread:";

/** Returns whether an id stands for a tree whose files were not read. */
export function isUnread(tree: string): boolean {
  return tree.startsWith(UNREAD);
}

/**
 * Returns an id for files that are not read. Like git's index, it identifies an unchanged file by its size, its inode
 * and its times; a process cannot set the last of these, the ctime. `head` is the commit that they change.
 */
export function unreadTree(head: string, measured: readonly Measured[]): string {
  const hash = createHash("sha256").update(`${head}\n`);
  for (const { change, stats } of measured) {
    const { mode, size, ino, mtimeMs, ctimeMs } = stats ?? {};
    hash.update(`${change.quoted} ${mode} ${size} ${ino} ${mtimeMs} ${ctimeMs}\n`);
  }
  return `${UNREAD}${hash.digest("hex")}`;
}

/** Formats a change for people without reading the file. */
export function unreadFile(one: Measured): PendingFile {
  const { path, deleted } = one.change;
  const before = deleted ? "100644" : null;
  return { path, mode: modeOf(one), before, bytes: bytesIn(one), link: null };
}

function modeOf({ stats }: Measured): string | null {
  if (stats === null) return null;
  if (stats.isSymbolicLink()) return "120000";
  return (stats.mode & 0o100) === 0 ? "100644" : "100755";
}
