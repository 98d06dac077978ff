import { posix } from "node:path";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { filesGit, isolatedGit } from "../process/files-git.ts";
import type { GitHost } from "../process/git-host.ts";
import { treeGit } from "../process/tree-git.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { visitPaths } from "./paths-below.ts";
import { removeBelow } from "./remove-tree.ts";

/**
 * Restores paths to the branch's head, in the directory and in the index. Deletes what the head does not have. In a
 * directory that the head has, it deletes untracked files and keeps ignored ones. Checks all paths before it changes
 * the first.
 */
export async function restorePaths(host: GitHost, ref: WorktreeRef, paths: readonly string[]): Promise<void> {
  await host.isolation.whileStill(async () => {
    const asked = new Map(paths.map((given) => [pathInside(given), given]));
    const kinds = await kindsInHead(host, ref, [...asked.keys()]);
    const missing = [...asked.keys()].filter((path) => !kinds.has(path));
    const below = await firstBelowLink(host, ref, missing);
    if (below !== null) throw outside(asked.get(below) ?? below);
    await takeFromHead(host, ref, kinds);
    await discard(host, ref, missing);
  });
}

/** Returns the path normalized and relative. Throws if it leads out of the worktree, or to git's data. */
function pathInside(path: string): string {
  const normal = posix.normalize(path).replace(/\/+$/, "");
  const parts = normal.split("/");
  if (
    path === "" ||
    path.includes("\0") ||
    posix.isAbsolute(path) ||
    parts.some((part) => part === ".." || part.toLowerCase() === ".git")
  ) {
    throw outside(path);
  }
  return normal;
}

/** Returns the first path with a link among its parents; null if there is none. */
async function firstBelowLink(
  host: GitHost,
  ref: WorktreeRef,
  paths: readonly string[],
): Promise<string | null> {
  const parents = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, index) => ({ path, parent: parts.slice(0, index + 1).join("/") }));
  });
  const prefixes = parents.map(({ parent }) => Buffer.from(parent));
  let found: string | null = null;
  await visitPaths(worktreePathsOf(host.dataDir, ref).directory, prefixes, (place, index) => {
    if (place?.directory.lstat(place.name)?.isSymbolicLink() === true) found ??= parents[index]?.path ?? null;
  });
  return found;
}

function outside(path: string): GitError {
  return new GitError("path_outside", `${JSON.stringify(path.slice(0, 200))} is not a path in the worktree`, {
    consequence: "stop",
    advice: "Give paths relative to the top of the worktree, below it, without .git and not through a link.",
  });
}

type Kind = "file" | "tree";

/** Returns what the head has at these paths, and leaves out paths that it lacks. */
async function kindsInHead(
  host: GitHost,
  ref: WorktreeRef,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Kind>> {
  const kinds = new Map<string, Kind>();
  if (paths.includes(".")) kinds.set(".", "tree");
  const named = paths.filter((path) => path !== ".");
  if (named.length === 0) return kinds;
  const { stdout } = await treeGit(host, ref, {
    args: ["ls-tree", "-t", "-z", "--full-tree", "HEAD", "--", ...named],
    purpose: "look the paths up in the head",
  });
  const asked = new Set(named);
  for (const line of stdout.split("\0")) {
    // git also lists the parents of the requested paths.
    const path = line.slice(line.indexOf("\t") + 1);
    if (asked.has(path)) kinds.set(path, line.split(" ")[1] === "tree" ? "tree" : "file");
  }
  return kinds;
}

const FROM_INPUT = ["--pathspec-from-file=-", "--pathspec-file-nul"];

async function takeFromHead(
  host: GitHost,
  ref: WorktreeRef,
  kinds: ReadonlyMap<string, Kind>,
): Promise<void> {
  const paths = [...kinds.keys()];
  if (paths.length === 0) return;
  const purpose = `restore ${shown(paths)}`;
  await filesGit(host, ref, {
    args: ["restore", "--source=HEAD", "--staged", "--worktree", ...FROM_INPUT],
    input: paths.join("\0"),
    purpose,
  });
  const trees = paths.filter((path) => kinds.get(path) === "tree");
  if (trees.length === 0) return;
  await isolatedGit(host, ref, {
    args: ["clean", "--quiet", "-d", "-f", "-f", "--", ...trees],
    purpose,
  });
}

async function discard(host: GitHost, ref: WorktreeRef, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await isolatedGit(host, ref, {
    args: ["rm", "--cached", "-r", "-f", "--quiet", "--ignore-unmatch", ...FROM_INPUT],
    input: paths.join("\0"),
    purpose: `take ${shown(paths)} out of the index`,
  });
  await removeBelow(
    worktreePathsOf(host.dataDir, ref).directory,
    paths.map((path) => Buffer.from(path)),
  );
}

function shown(paths: readonly string[]): string {
  const [first = "", ...more] = paths;
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
