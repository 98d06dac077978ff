import { posix } from "node:path";
import { GitError } from "../core/errors.ts";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { filesGit, isolatedGit } from "./files-git.ts";
import type { GitHost } from "./git-host.ts";
import { visitPaths } from "./paths-below.ts";
import { placeOf } from "./places.ts";
import { removeBelow } from "./remove-tree.ts";
import { treeGit } from "./tree-git.ts";

/**
 * Puts paths back to the branch's head, in the directory and in the index; what the head does not have is deleted.
 * Of a directory that it has, untracked files go, ignored ones stay. All paths are checked before the first is touched.
 */
export async function restorePaths(host: GitHost, ref: WorktreeRef, paths: readonly string[]): Promise<void> {
  await host.isolation.whileStill(async () => {
    const asked: { readonly path: string; readonly kind: "file" | "tree" | null }[] = [];
    for (const given of paths) {
      const path = pathInside(given);
      const kind = await kindInHead(host, ref, path);
      if (kind === null && (await isBelowLink(host, ref, path))) throw outside(given);
      asked.push({ path, kind });
    }
    for (const { path, kind } of asked) {
      if (kind === null) await discard(host, ref, path);
      else await takeFromHead(host, ref, path, kind);
    }
  });
}

/** Returns the path normalized and relative. Throws for one that leads out of the worktree, or to git's data. */
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

/** True where one of the path's parents is a link. */
async function isBelowLink(host: GitHost, ref: WorktreeRef, path: string): Promise<boolean> {
  const parents = path.split("/").slice(0, -1);
  const prefixes = parents.map((_, index) => Buffer.from(parents.slice(0, index + 1).join("/")));
  let found = false;
  await visitPaths(placeOf(host.dataDir, ref).directory, prefixes, (place) => {
    if (place?.directory.lstat(place.name)?.isSymbolicLink() === true) found = true;
  });
  return found;
}

function outside(path: string): GitError {
  return new GitError("path_outside", `${JSON.stringify(path.slice(0, 200))} is not a path in the worktree`, {
    consequence: "stop",
    advice: "Give paths relative to the top of the worktree, below it, without .git and not through a link.",
  });
}

async function kindInHead(host: GitHost, ref: WorktreeRef, path: string): Promise<"file" | "tree" | null> {
  if (path === ".") return "tree";
  const { stdout } = await treeGit(host, ref, {
    args: ["ls-tree", "-z", "--full-tree", "HEAD", "--", path],
    purpose: "look the path up in the head",
  });
  if (stdout === "") return null;
  return stdout.split(" ")[1] === "tree" ? "tree" : "file";
}

async function takeFromHead(
  host: GitHost,
  ref: WorktreeRef,
  path: string,
  kind: "file" | "tree",
): Promise<void> {
  const purpose = `restore ${path}`;
  await filesGit(host, ref, {
    args: ["restore", "--source=HEAD", "--staged", "--worktree", "--", path],
    purpose,
  });
  if (kind === "tree") {
    await isolatedGit(host, ref, { args: ["clean", "--quiet", "-d", "-f", "-f", "--", path], purpose });
  }
}

async function discard(host: GitHost, ref: WorktreeRef, path: string): Promise<void> {
  await isolatedGit(host, ref, {
    args: ["rm", "--cached", "-r", "-f", "--quiet", "--ignore-unmatch", "--", path],
    purpose: `take ${path} out of the index`,
  });
  await removeBelow(placeOf(host.dataDir, ref).directory, Buffer.from(path));
}
