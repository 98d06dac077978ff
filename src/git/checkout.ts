import { mkdir } from "node:fs/promises";
import { GitError } from "../core/errors.ts";
import type { CleanCheckout, WorktreeRef } from "../core/ports/worktrees.ts";
import { commitAt } from "./commits.ts";
import type { GitHost } from "./git-host.ts";
import { openMirror } from "./mirror.ts";
import { placeOf } from "./places.ts";
import { buildWorktree } from "./rebuild.ts";
import { removeTree } from "./remove-tree.ts";
import { assertCommit } from "./safe-names.ts";

/** A throw-away worktree beside the agent's, in which nothing but the commit is. */
export function checkoutOf(ref: WorktreeRef): WorktreeRef {
  return { repository: ref.repository, name: `${ref.name}.checkout`, branch: null };
}

/** Makes a clean detached checkout of the commit, with an empty home beside it; what stood there before is deleted. */
export async function makeCheckout(host: GitHost, ref: WorktreeRef, commit: string): Promise<CleanCheckout> {
  assertCommit(commit);
  const checkout = checkoutOf(ref);
  const { directory } = placeOf(host.dataDir, checkout);
  await openMirror(host, ref.repository);
  await deleteCheckout(host, ref);
  if ((await commitAt(host, ref.repository, commit)) === null)
    throw new GitError("commit_missing", `the commit ${commit} of ${ref.name} is not there`, {
      consequence: "stop",
      advice:
        "The branch was rewritten or the mirror was lost; look at the branch, then start the agent again.",
    });
  await buildWorktree(host, checkout, { head: commit, checkpoint: null, origin: "fresh" });
  const home = homeOf(directory);
  await mkdir(home, { recursive: true, mode: 0o700 });
  return { path: directory, home };
}

/** Deletes the checkout, its home and git's data of it. Idempotent. */
export async function deleteCheckout(host: GitHost, ref: WorktreeRef): Promise<void> {
  const { directory, entry } = placeOf(host.dataDir, checkoutOf(ref));
  for (const path of [directory, homeOf(directory), entry]) await removeTree(path);
}

function homeOf(directory: string): string {
  return `${directory}-home`;
}
