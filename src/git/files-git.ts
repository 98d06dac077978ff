import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { clearTheWay } from "./clear-the-way.ts";
import type { GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";
import type { GitAnswer, GitCall } from "./run-git.ts";
import { treeGit } from "./tree-git.ts";

/** `treeGit` for a command that reads the agent's files: nothing among them makes it wait, or is hidden from it. */
export async function filesGit(
  host: GitHost,
  ref: WorktreeRef,
  call: Omit<GitCall, "network">,
): Promise<GitAnswer> {
  const pipes = await clearTheWay(placeOf(host.dataDir, ref).directory);
  if (pipes.length > 0)
    host.log.warn({ worktree: ref.name, pipes: pipes.slice(0, 10) }, "removed named pipes");
  return treeGit(host, ref, call);
}
