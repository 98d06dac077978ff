import { mkdir } from "node:fs/promises";
import { lowerBound } from "../../../domain/kernel/lower-bound.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { bytesOf, Directory, unlessGone } from "./directory.ts";
import { type FoundEntry, visitPaths } from "./paths-below.ts";

/**
 * Moves nested repositories and very large files (paths with a slash at the end) from the worktree to its archive,
 * because a commit cannot hold them. Moves each in one step; after a crash the next attempt moves the rest.
 */
export async function moveNested(host: GitHost, ref: WorktreeRef, nested: readonly string[]): Promise<void> {
  const { archive, directory } = worktreePathsOf(host.dataDir, ref);
  if (nested.length === 0) return;
  await mkdir(archive, { recursive: true, mode: 0o700 });
  const kept = Directory.open(archive);
  const paths = nested.map((path) => Buffer.from(path.replace(/\/+$/, "")));
  try {
    await visitPaths(directory, paths, (place, index) => {
      const path = nested[index];
      if (place === null || path === undefined) return;
      const target = moveInto(kept, place, path);
      host.log.warn(
        { worktree: ref.name, path, target },
        "files that no commit can hold moved into the archive",
      );
    });
  } finally {
    kept.close();
  }
}

/** Moves an entry to its path below the first directory in which that path is free. Returns the new path. */
function moveInto(archive: Directory, { directory, name }: FoundEntry, path: string): string {
  for (let copy = 1; ; copy += 1) {
    const parents = [copy === 1 ? "nested" : `nested-${copy}`, ...path.split("/").slice(0, -2).map(bytesOf)];
    const target = withDirectories(archive, parents, (parent) => {
      if (parent.lstat(name) !== null) return undefined;
      directory.rename(name, parent, name);
      return parent.pathOf(name);
    });
    if (target !== undefined) return target;
  }
}

/**
 * Runs `work` with the last of these directories, creating missing ones. Does not run it if a link or a file is in the
 * way.
 */
function withDirectories<T>(
  from: Directory,
  [name, ...more]: readonly string[],
  work: (directory: Directory) => T | undefined,
): T | undefined {
  if (name === undefined) return work(from);
  from.mkdir(name);
  const directory = unlessGone(() => from.directory(name));
  if (directory === undefined) return undefined;
  try {
    return withDirectories(directory, more, work);
  } finally {
    directory.close();
  }
}

/** Returns the nested repositories that the files of this tree would replace or be written into. */
export async function overwritten(
  host: GitHost,
  ref: WorktreeRef,
  { nested, tree }: { readonly nested: readonly string[]; readonly tree: string },
): Promise<readonly string[]> {
  if (nested.length === 0) return [];
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["ls-tree", "-r", "--name-only", "-z", "--full-tree", tree],
    purpose: "look for files in the place of nested repositories",
  });
  return meeting(nested, stdout.split("\0"));
}

/** Returns the nested repositories that contain, equal or are below one of these files. Both lists may be very long. */
export function meeting(nested: readonly string[], files: readonly string[]): readonly string[] {
  const sorted = files
    .filter((file) => file !== "")
    .map((file) => `${file}/`)
    .toSorted();
  return nested.filter((path) => {
    const index = lowerBound(sorted, path);
    const [before, from] = [sorted[index - 1], sorted[index]];
    // No file of a tree lies below another one, so none is sorted between a path and the file that it lies below.
    return from?.startsWith(path) === true || (before !== undefined && path.startsWith(before));
  });
}
