import { randomUUID } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { GitError, messageOf } from "../core/errors.ts";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { treeOf } from "./commit.ts";
import { baseOf, headOf, isAncestor, setRef, writeCommit } from "./commits.ts";
import { ensureHostDirectories, type GitHost } from "./git-host.ts";
import { placeOf } from "./places.ts";
import { pushCheckpoint } from "./push.ts";
import { type Staged, stageAll, stageOutermost } from "./staging.ts";
import { treeGit } from "./tree-git.ts";

/** The host itself, where it makes commits of work that nobody has committed. */
export const HOST_AUTHOR = { name: "Flotilla", email: "flotilla@localhost" };

/**
 * Saves the whole worktree as one commit on top of the branch's head, at the checkpoint ref. Branch, HEAD and index
 * stay as they are. That the server takes the ref is welcome, not needed. Null when there is nothing to save.
 */
export async function saveCheckpoint(
  host: GitHost,
  ref: WorktreeRef,
  options?: { readonly push: boolean },
): Promise<{ commit: string; pushed: boolean } | null> {
  const head = await headOf(host, ref);
  const tree = await treeOfWorktree(host, ref);
  if (tree === (await treeOf(host, ref, head))) {
    const base = await baseOf(host, ref);
    if (base !== null && (await isAncestor(host, ref.repository, head, base))) return null;
  }
  const message = `Checkpoint of ${ref.name}`;
  const commit = await writeCommit(host, ref, { tree, parents: [head], message, author: HOST_AUTHOR });
  await setRef(host, ref.repository, placeOf(host.dataDir, ref).checkpointRef, commit);
  host.crashPoint("git:checkpointed");
  if (options?.push === false) return { commit, pushed: false };
  try {
    await pushCheckpoint(host, ref, commit);
    return { commit, pushed: true };
  } catch (error) {
    host.log.info({ worktree: ref.name, error: messageOf(error) }, "the server did not take the checkpoint");
    return { commit, pushed: false };
  }
}

/** Works on an index of its own, begun as a copy for speed: the agent may be using the real one, or have broken it. */
export async function treeOfWorktree(host: GitHost, ref: WorktreeRef): Promise<string> {
  const { entry } = placeOf(host.dataDir, ref);
  return withOwnIndex(host, async (env, index) => {
    try {
      await copyFile(join(entry, "index"), index);
      return await stageAll(host, ref, env);
    } catch (error) {
      if (error instanceof GitError && error.code !== "corrupt") throw error;
      await rm(index, { force: true });
      return (await stageAnew(host, ref, env)).tree;
    }
  });
}

/** The same on an index that the agent never had: every file is read, whatever its own index says of it. */
export async function wholeWorktree(host: GitHost, ref: WorktreeRef): Promise<Staged> {
  return withOwnIndex(host, (env) => stageAnew(host, ref, env));
}

async function stageAnew(
  host: GitHost,
  ref: WorktreeRef,
  env: Readonly<Record<string, string>>,
): Promise<Staged> {
  await treeGit(host, ref, { args: ["read-tree", "HEAD"], env, purpose: "begin a new index" });
  return stageOutermost(host, ref, env);
}

async function withOwnIndex<T>(
  host: GitHost,
  work: (env: Readonly<Record<string, string>>, index: string) => Promise<T>,
): Promise<T> {
  await ensureHostDirectories(host);
  const index = join(host.scratch, `index-${randomUUID()}`);
  try {
    return await work({ GIT_INDEX_FILE: index }, index);
  } finally {
    await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  }
}
