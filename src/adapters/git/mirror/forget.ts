import { stat } from "node:fs/promises";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { dropCheckpoint } from "../worktree/remove.ts";
import { removeTree } from "../worktree/remove-tree.ts";
import { mirrorGit } from "./mirror.ts";

/**
 * Deletes everything kept of an agent that has ended: its archive, and every ref of ours in the mirror with its name.
 * Keeps its branch; tidy.ts removes unreachable objects. Idempotent.
 */
export async function forgetWork(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { archive, archiveRef, keptRefs, mergingRef, mirror, pushedRef } = worktreePathsOf(host.dataDir, ref);
  await removeTree(archive);
  if ((await stat(mirror).catch(() => null)) === null) return;
  await dropCheckpoint(host, ref);
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["for-each-ref", "--format=delete %(refname)", archiveRef, keptRefs, mergingRef, pushedRef],
    purpose: `list what is kept of ${ref.name}`,
  });
  if (stdout === "") return;
  await mirrorGit(host, ref.repository, {
    args: ["update-ref", "--no-deref", "--stdin"],
    input: stdout,
    purpose: `forget the work of ${ref.name}`,
  });
}
