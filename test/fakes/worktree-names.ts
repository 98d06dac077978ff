import { posix } from "node:path";
import { GitError } from "../../src/domain/kernel/errors.ts";
import type { WorktreeRef } from "../../src/domain/ports/worktrees.ts";
import type { Tree } from "./fake-commits.ts";

export function restorePath(
  directory: { readonly files: Map<string, string> },
  head: Tree,
  path: string,
): void {
  const concerned = (name: string) => path === "." || name === path || name.startsWith(`${path}/`);
  for (const name of [...directory.files.keys()].filter(concerned)) directory.files.delete(name);
  for (const [name, text] of head) if (concerned(name)) directory.files.set(name, text);
}

export function insidePath(path: string): string {
  const normal = posix.normalize(path).replace(/\/+$/, "");
  const parts = normal.split("/");
  const refused = parts.includes("..") || parts.some((part) => part.toLowerCase() === ".git");
  if (path === "" || path.includes("\0") || posix.isAbsolute(path) || refused) fail("path_outside", "stop");
  return normal;
}

export function assertNames(ref: WorktreeRef): void {
  const part = /^[A-Za-z0-9_](?!.*\.\.)(?!.*\.lock$)[A-Za-z0-9._-]*$/;
  const names = [ref.name, ...(ref.branch?.split("/") ?? [])];
  if (!names.every((name) => part.test(name))) fail("bad_name", "stop");
}

export function fail(code: string, consequence: "stop" | "tell"): never {
  throw new GitError(code, `the fake worktrees say ${code}`, { consequence });
}

export function branchOf(ref: WorktreeRef): string {
  return ref.branch ?? fail("no_branch", "stop");
}
