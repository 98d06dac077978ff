import { lstat, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import type { GitHost } from "./git-host.ts";
import { mirrorGit } from "./mirror.ts";
import { placeOf } from "./places.ts";

/**
 * Moves nested repositories (paths with a slash at the end) out of the worktree into its archive: no commit can hold
 * them. In one step each; what a crash leaves behind is moved by the next try.
 */
export async function moveNested(host: GitHost, ref: WorktreeRef, nested: readonly string[]): Promise<void> {
  const { archive, directory } = placeOf(host.dataDir, ref);
  for (const path of nested) {
    let target = join(archive, "nested", path);
    for (let copy = 2; (await lstat(target).catch(() => null)) !== null; copy += 1)
      target = join(archive, `nested-${copy}`, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(directory, path), target);
    host.log.warn({ worktree: ref.name, path, target }, "moved a nested repository into the archive");
  }
}

/** Those of the nested repositories in whose place, or in which, the files of this tree would be written. */
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
  const files = stdout.split("\0").map((file) => `${file}/`);
  return nested.filter((path) => files.some((file) => file.startsWith(path) || path.startsWith(file)));
}
