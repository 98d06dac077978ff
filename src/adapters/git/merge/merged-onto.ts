import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Integration } from "../../../domain/ports/worktrees.ts";
import { HOST_AUTHOR } from "../mirror/checkpoint.ts";
import { commitAt, writeCommit } from "../mirror/commits.ts";
import { fetchBranches, fetchCommits, mirrorGit, openMirror } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";
import { mergedTree } from "./merged-tree.ts";

/** GitHub merges no more commits by a rebase. */
const MOST_COMMITS = 100;

interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Its author with the time, which a rebase keeps. */
  readonly authored: string;
}

/** Implements `mergedOnto` of the port: it makes the rebase or squash again, and compares what comes out. */
export async function mergedOnto(
  host: GitHost,
  repository: RepositoryRef,
  { merge, head, pull }: Parameters<Integration["mergedOnto"]>[1],
): Promise<string | null> {
  for (const commit of [merge, head]) assertCommit(commit);
  await openMirror(host, repository);
  if ((await commitAt(host, repository, merge)) === null) await fetchBranches(host, repository);
  if ((await commitAt(host, repository, merge)) === null) return null;
  if ((await commitAt(host, repository, head)) === null)
    await fetchCommits(host, repository, `refs/pull/${pull}/head`);
  if ((await commitAt(host, repository, head)) === null) return null;

  const [merged] = await logOf(host, repository, ["-n1", merge]);
  if (merged === undefined || merged.parents.length > 1) return merged?.parents[0] ?? null;
  const newest = ["--no-merges", "--topo-order", `-n${MOST_COMMITS + 1}`, head, `^${merge}`];
  const own = (await logOf(host, repository, newest)).toReversed();
  if (own.length === 0 || own.length > MOST_COMMITS) return null;
  const line = await logOf(host, repository, ["--first-parent", `-n${own.length + 1}`, merge]);
  const landed = landedOf(own, line);
  const onto = (landed[0] ?? merged).parents[0];
  if (onto === undefined) return null;
  const isVerified =
    landed.length > 0
      ? await isRebase(host, repository, { own, landed, onto })
      : await isSquash(host, repository, { own, merged, onto, head });
  return isVerified ? onto : null;
}

/**
 * Returns what a rebase put on the base branch, oldest first: the newest commits of the branch's line whose authors and
 * times are those of the pull request's commits, in the same order. Those that became empty are not in it.
 */
function landedOf(own: readonly Commit[], line: readonly Commit[]): readonly Commit[] {
  let landed = 0;
  for (const { authored } of own.toReversed()) {
    const next = line[landed];
    if (next?.parents.length === 1 && next.authored === authored) landed += 1;
  }
  return line.slice(0, landed).toReversed();
}

/** Returns whether the commits, put on the base one by one, become the very trees that landed, or change nothing. */
async function isRebase(
  host: GitHost,
  repository: RepositoryRef,
  { own, landed, onto }: { own: readonly Commit[]; landed: readonly Commit[]; onto: string },
): Promise<boolean> {
  const before = await treeAt(host, repository, onto);
  const trees = [before, ...landed.map((commit) => commit.tree)];
  const wanted = trees.filter((one, at) => at > 0 && one !== trees[at - 1]);
  let tree: string | null = before;
  for (const commit of own) {
    const next: string | null = await picked(host, repository, commit, tree);
    if (next === null) return false;
    if (next !== tree && wanted.shift() !== next) return false;
    tree = next;
  }
  return wanted.length === 0;
}

/**
 * Returns whether the whole branch, merged into the base, becomes the tree that landed. A base that already has the
 * first commit would be the middle of a rebase.
 */
async function isSquash(
  host: GitHost,
  repository: RepositoryRef,
  { own, merged, onto, head }: { own: readonly Commit[]; merged: Commit; onto: string; head: string },
): Promise<boolean> {
  const whole = await mergedTree(host, repository, onto, head);
  if (whole.conflicts.length > 0 || whole.tree !== merged.tree) return false;
  const before = await treeAt(host, repository, onto);
  const [first] = own;
  return first !== undefined && (await picked(host, repository, first, before)) !== before;
}

/** Returns the tree with the change of a commit; null where it does not fit. */
async function picked(
  host: GitHost,
  repository: RepositoryRef,
  { id, parents: [parent] }: Commit,
  tree: string,
): Promise<string | null> {
  if (parent === undefined) return null;
  const message = "A commit of a pull request again";
  const ours = await writeCommit(
    host,
    { repository },
    { tree, parents: [parent], message, author: HOST_AUTHOR },
  );
  const made = await mergedTree(host, repository, ours, id);
  return made.conflicts.length > 0 ? null : made.tree;
}

async function treeAt(host: GitHost, repository: RepositoryRef, commit: string): Promise<string> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["rev-parse", "--verify", `${commit}^{tree}`],
    purpose: "read a commit's tree",
  });
  return stdout.trim();
}

async function logOf(
  host: GitHost,
  repository: RepositoryRef,
  args: readonly string[],
): Promise<readonly Commit[]> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["log", "-z", "--format=%H %T %at %P%n%an <%ae>", ...args],
    purpose: "read the commits of a pull request",
  });
  return stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [ids = "", author = ""] = entry.split("\n");
      const [id = "", tree = "", at = "", ...parents] = ids.split(" ");
      return { id, tree, parents: parents.filter((parent) => parent !== ""), authored: `${at} ${author}` };
    });
}
