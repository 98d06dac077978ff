import { realpath } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";
import { GitError } from "../core/errors.ts";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { filesGit } from "./files-git.ts";
import type { GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";
import { removeTree } from "./remove-tree.ts";
import { treeGit } from "./tree-git.ts";

/**
 * Puts paths back to the branch's head, in the directory and in the index; what the head does not have is deleted.
 * Of a directory that it has, untracked files go, ignored ones stay. All paths are checked before the first is touched.
 */
export async function restorePaths(host: GitHost, ref: WorktreeRef, paths: readonly string[]): Promise<void> {
  const { directory } = placeOf(host.dataDir, ref);
  const root = await realpath(directory);
  const inside: string[] = [];
  for (const path of paths) inside.push(await insidePath(root, path));
  for (const path of inside) {
    const kind = await kindInHead(host, ref, path);
    if (kind === null) await discard(host, ref, root, path);
    else await takeFromHead(host, ref, path, kind);
  }
}

/** The path, normalized and relative; its parents, links followed, must lie in the worktree and not in git's data. */
async function insidePath(root: string, path: string): Promise<string> {
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
  const parent = await deepestExisting(join(root, dirname(normal)));
  if (parent !== root && !parent.startsWith(root + sep)) throw outside(path);
  return normal;
}

async function deepestExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return deepestExisting(dirname(path));
  }
}

function outside(path: string): GitError {
  return new GitError("path_outside", `${JSON.stringify(path.slice(0, 200))} is not a path in the worktree`, {
    consequence: "stop",
    advice: "Give paths relative to the top of the worktree, below it, without .git.",
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
    await treeGit(host, ref, { args: ["clean", "--quiet", "-d", "-f", "-f", "--", path], purpose });
  }
}

async function discard(host: GitHost, ref: WorktreeRef, root: string, path: string): Promise<void> {
  await treeGit(host, ref, {
    args: ["rm", "--cached", "-r", "-f", "--quiet", "--ignore-unmatch", "--", path],
    purpose: `take ${path} out of the index`,
  });
  await removeTree(join(root, path));
}
