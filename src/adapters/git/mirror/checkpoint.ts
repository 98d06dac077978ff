import { messageOf } from "../../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { MOST_BYTES } from "../../../domain/tasks/held-work.ts";
import type { GitHost } from "../process/git-host.ts";
import { inQuarantine, type Quarantine, release } from "../process/quarantine.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { assertUnchanged } from "../worktree/commit.ts";
import { withStaged } from "../worktree/kept-index.ts";
import { isUnread } from "../worktree/measure.ts";
import { type Staged, stage } from "../worktree/staging.ts";
import { baseOf, headOf, isAncestor, objectsAt, setRef, writeCommit } from "./commits.ts";
import { pushCheckpoint } from "./push.ts";

/** The host as author of commits that save work that nobody has committed. */
export const HOST_AUTHOR = { name: "Flotilla", email: "flotilla@localhost" };

/**
 * Saves the whole worktree as one commit on top of the branch's head, at the checkpoint ref. Branch, HEAD and index
 * stay as they are. A checkpoint that already holds the same work is kept. Pushing the ref to the server is optional
 * and may fail. Returns null if there is nothing to save. Throws code `tree_moved` if `tree` is given and the files
 * differ from it.
 */
export async function saveCheckpoint(
  host: GitHost,
  ref: WorktreeRef,
  { push = true, tree }: { readonly push?: boolean; readonly tree?: string } = {},
): Promise<{ commit: string; pushed: boolean } | null> {
  const much = tree === undefined ? { rest: MOST_KEPT_BYTES } : { most: MOST_BYTES };
  const commit = await withStaged(host, ref, { ...much, keep: false }, (staged, quarantine) => {
    // Files that were too large to read have no tree that could be saved.
    if (tree !== undefined) assertUnchanged(ref, staged, isUnread(tree) ? "" : tree);
    return writeCheckpoint(host, ref, quarantine, staged);
  });
  if (commit === null) return null;
  await setRef(host, ref.repository, worktreePathsOf(host.dataDir, ref).checkpointRef, commit);
  host.crashPoint("git:checkpointed");
  if (!push) return { commit, pushed: false };
  try {
    await pushCheckpoint(host, ref, commit);
    return { commit, pushed: true };
  } catch (error) {
    host.log.info({ worktree: ref.name, error: messageOf(error) }, "checkpoint not pushed");
    return { commit, pushed: false };
  }
}

async function writeCheckpoint(
  host: GitHost,
  ref: WorktreeRef,
  quarantine: Quarantine,
  { tree }: Staged,
): Promise<string | null> {
  const { checkpointRef } = worktreePathsOf(host.dataDir, ref);
  const [at, headTree, kept, keptTree, keptOn] = await objectsAt(host, ref, [
    "HEAD^{commit}",
    "HEAD^{tree}",
    `${checkpointRef}^{commit}`,
    `${checkpointRef}^{tree}`,
    `${checkpointRef}^1^{commit}`,
  ]);
  // Throws if the head is missing.
  const head = at ?? (await headOf(host, ref));
  if (tree === headTree) {
    const base = await baseOf(host, ref);
    if (base !== null && (await isAncestor(host, ref.repository, head, base))) return null;
  }
  if (kept != null && keptTree === tree && keptOn === head) return kept;
  await release(host, ref, quarantine);
  const message = `Checkpoint of ${ref.name}`;
  return writeCommit(host, ref, { tree, parents: [head], message, author: HOST_AUTHOR });
}

/**
 * Maximum size of uncommitted work that is read into a commit. The largest files beyond it are left out, and moved to
 * the archive as they are.
 */
export const MOST_KEPT_BYTES = 200 * 1024 * 1024;

/** Reads everything in the worktree into the mirror, to be kept by a commit of ours. */
export async function savedTree(host: GitHost, ref: WorktreeRef): Promise<Staged> {
  return inQuarantine(host, ref, async (quarantine) => {
    const staged = await stage(host, ref, quarantine, { rest: MOST_KEPT_BYTES });
    await release(host, ref, quarantine);
    return staged;
  });
}

/**
 * Returns an id for everything that a commit would include: the tree that it would have, or a digest in its place if
 * that is too much to read.
 */
export async function treeOfWorktree(host: GitHost, ref: WorktreeRef): Promise<string> {
  return withStaged(host, ref, { most: MOST_BYTES, keep: true }, ({ tree }) => Promise.resolve(tree));
}
