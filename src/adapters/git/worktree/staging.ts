import { copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { whyLeftOut } from "../../../domain/evidence/left-out.ts";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { headOf } from "../mirror/commits.ts";
import { clearEntryLocks } from "../mirror/stale-locks.ts";
import { isolatedGit } from "../process/files-git.ts";
import type { GitHost } from "../process/git-host.ts";
import { MOST_LOOSE, type Quarantine } from "../process/quarantine.ts";
import { treeGit } from "../process/tree-git.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { type Change, canBeHeld, readChanges } from "./changes.ts";
import { largestBeyond, type Measured, measure, sumOf, unreadTree } from "./measure.ts";

/**
 * What a commit would include, and what it would not: nested repositories and files that are left out, each with a
 * slash at the end.
 */
export interface Staged {
  /** The tree's id; for `unread` files, an id in its place. */
  readonly tree: string;
  readonly nested: readonly string[];
  /** The entries of `nested` that are repositories. */
  readonly repositories: readonly string[];
  /** Paths whose names git refuses. */
  readonly refused: readonly string[];
  /** Total size of all changed files. */
  readonly bytes: number;
  /** All changes if they have more than `most` bytes, otherwise empty. */
  readonly unread: readonly Measured[];
}

/** Objects in the quarantine need not survive a power failure; they are synced to disk when they are released. */
const UNSAVED = ["-c", "core.fsync=none"];
/** Makes git write all content into one pack, because a file per object takes about four times as long. */
const IN_ONE_PACK = ["-c", "core.bigFileThreshold=0"];

/** Number of left-out files that are named in the log. */
const MOST_NAMED = 10;

export interface HowMuch {
  /** If the changed files have more than this many bytes, none is read. */
  readonly most?: number;
  /** The largest files are left out until the rest has at most this many bytes. */
  readonly rest?: number;
}

/**
 * Stages every change in the quarantine's index and writes its tree. The index starts as a copy of the worktree's own,
 * for speed; if that is damaged, as an empty one.
 */
export async function stage(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
  much: HowMuch = {},
): Promise<Staged> {
  return host.isolation.whileStill(async () => {
    try {
      await copyIndex(join(worktreePathsOf(host.dataDir, ref).entry, "index"), quarantine.index);
      return await stageOnto(host, ref, quarantine, much);
    } catch (error) {
      if (error instanceof GitError && error.code !== "corrupt") throw error;
      await rm(quarantine.index, { force: true });
      return await stageAnew(host, ref, quarantine, much);
    }
  });
}

/** Stages into an index that the agent never had: reads every file, whatever the worktree's own index says. */
export async function stageAnew(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
  much: HowMuch = {},
): Promise<Staged> {
  return host.isolation.whileStill(async () => {
    await treeGit(host, ref, {
      args: ["read-tree", "HEAD"],
      env: quarantine.env,
      purpose: "begin a new index",
    });
    return stageOnto(host, ref, quarantine, much);
  });
}

/** Replaces the worktree's index by the quarantine's. The objects must have been released. */
export async function installIndex(host: GitHost, ref: WorktreeRef, { index }: Quarantine): Promise<void> {
  const place = worktreePathsOf(host.dataDir, ref);
  const lock = join(place.entry, "index.lock");
  if (!(await isLinked(index, lock))) {
    await clearEntryLocks(host, place, false);
    if (!(await isLinked(index, lock)))
      throw new GitError("locked", `the index of ${ref.name} is locked`, {
        consequence: "retry",
        advice: "Another git is at work in this worktree; it is tried again.",
      });
  }
  await rename(lock, join(place.entry, "index"));
}

/** Links a file to a second name. Returns false if that name is taken. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Copies an index with its modification time, by which git tells which files may have changed while it was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { atime, mtimeMs } = await stat(from);
  await utimes(to, atime, Math.floor(mtimeMs) / 1000);
}

/**
 * Stages changes. Leaves out nested repositories: links to commits that nobody else has would be useless, and git would
 * look into them.
 */
async function stageOnto(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
  { most = Number.POSITIVE_INFINITY, rest = Number.POSITIVE_INFINITY }: HowMuch,
): Promise<Staged> {
  const changes = await readChanges(host, ref, quarantine);
  const measured = await measure(host, ref, changes);
  const repositories = changes.filter(({ path }) => path.endsWith("/")).map(({ path }) => path);
  const bytes = sumOf(measured);
  if (bytes > most)
    return {
      tree: unreadTree(await headOf(host, ref), measured),
      nested: repositories,
      repositories,
      refused: [],
      bytes,
      unread: measured,
    };
  const large = largestBeyond(measured, rest);
  const nested = [...repositories, ...[...large].map(({ path }) => `${path}/`)];
  if (nested.length > 0)
    host.log.warn(
      { worktree: ref.name, count: nested.length, nested: nested.slice(0, MOST_NAMED) },
      "nested repositories and very large files left out",
    );
  const update = async (options: string[], what: readonly Change[]) => {
    if (what.length === 0) return "";
    const { stderr } = await isolatedGit(host, ref, {
      args: [
        ...UNSAVED,
        ...(what.length > MOST_LOOSE ? IN_ONE_PACK : []),
        "update-index",
        ...options,
        "--stdin",
      ],
      input: what.map(({ quoted }) => `${quoted}\n`).join(""),
      quarantine,
      purpose: "take the changes into the index",
    });
    return stderr;
  };
  const files = changes.filter((change) => !change.path.endsWith("/") && !large.has(change));
  const there = files.filter(({ deleted }) => !deleted);
  const holdable = await canBeHeld(host, ref, there);
  const held = new Set(there.filter((_, index) => holdable[index] === true));
  // Uses exact paths instead of `add -A`: a path that disappears in the meantime counts as deleted and causes no error.
  // Deletions come first and without a look at the path, because a link may have replaced its directory.
  await update(
    ["--force-remove"],
    files.filter((change) => !held.has(change)),
  );
  const refused = refusedAmong(held, await update(["--add", "--remove", "--replace"], [...held]));
  const { stdout } = await treeGit(host, ref, {
    args: [...UNSAVED, "write-tree"],
    env: quarantine.env,
    purpose: "write the tree",
  });
  return {
    tree: stdout.trim(),
    nested: [...nested, ...refused.map((path) => `${path}/`)],
    repositories,
    refused,
    bytes,
    unread: [],
  };
}

/**
 * Returns the refused paths. git leaves out names that some file system would treat as `.git`, and prints a line for
 * each without failing.
 */
function refusedAmong(changes: ReadonlySet<Change>, said: string): readonly string[] {
  const ignored = new Set(said.split("\n").map((line) => line.replace(/^Ignoring path /, "")));
  // A name with a line break is not found here.
  return [...changes]
    .map(({ path }) => path)
    .filter((path) => ignored.has(path) || whyLeftOut(path) !== null);
}
