import type { WorktreeRef } from "../core/ports/worktrees.ts";
import { type Change, canBeHeld, readChanges } from "./changes.ts";
import type { GitHost } from "./git-host.ts";
import { treeGit } from "./tree-git.ts";

/** Paths that differ from HEAD, tracked or not, ignored ones left out; one that ends with a slash is a nested repository. */
export async function changedPaths(host: GitHost, ref: WorktreeRef): Promise<string[]> {
  return (await readChanges(host, ref, {})).map(({ path }) => path);
}

/** What a commit would take in, and the directories that it would not: nested repositories, each with a slash at its end. */
export interface Staged {
  readonly tree: string;
  readonly nested: readonly string[];
}

/** Takes every change into the index and writes its tree; returns the tree's id. */
export async function stageAll(
  host: GitHost,
  ref: WorktreeRef,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await stageOutermost(host, ref, env)).tree;
}

/**
 * The same, telling what stays out. Nested repositories do: as links to commits that nobody has they would be of no use,
 * and git would look into them.
 */
export async function stageOutermost(
  host: GitHost,
  ref: WorktreeRef,
  env: Readonly<Record<string, string>> = {},
): Promise<Staged> {
  const changes = await readChanges(host, ref, env);
  const nested = changes.filter(({ path }) => path.endsWith("/")).map(({ path }) => path);
  if (nested.length > 0) host.log.warn({ worktree: ref.name, nested }, "left nested repositories out");
  const update = async (options: string[], what: readonly Change[]) => {
    if (what.length === 0) return;
    await treeGit(host, ref, {
      args: ["update-index", ...options, "--stdin"],
      input: what.map(({ quoted }) => `${quoted}\n`).join(""),
      env,
      purpose: "take the changes into the index",
    });
  };
  const files = changes.filter(({ path }) => !path.endsWith("/"));
  const there = files.filter(({ deleted }) => !deleted);
  const holdable = await canBeHeld(host, ref, there);
  const held = new Set(there.filter((_, index) => holdable[index] === true));
  // By exact paths and not by `add -A`: a path that vanishes meanwhile counts as deleted and fails nothing.
  // What was deleted goes first and unseen, since a link may stand where its directory was.
  await update(
    ["--force-remove"],
    files.filter((change) => !held.has(change)),
  );
  await update(
    ["--add", "--remove", "--replace"],
    files.filter((change) => held.has(change)),
  );
  const { stdout } = await treeGit(host, ref, { args: ["write-tree"], env, purpose: "write the tree" });
  return { tree: stdout.trim(), nested };
}
