import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "../../../domain/kernel/errors.ts";
import type { CommitOptions, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { MOST_BYTES } from "../../../domain/tasks/held-work.ts";
import { unsettledIn } from "../merge/conflict-markers.ts";
import { commitAt, headOf, isAncestor, objectsAt, setRef, writeCommit } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { inQuarantine, type Quarantine, release } from "../process/quarantine.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { withStaged } from "./kept-index.ts";
import { isUnread } from "./measure.ts";
import { installIndex, type Staged, stage } from "./staging.ts";

/** Files that git keeps in a worktree while a merge, cherry-pick or revert waits for its commit. */
const WAITING = ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

/**
 * Commits every change on the agent's branch and returns the commit; null if nothing changed. Uses git's plumbing,
 * which runs no hooks. A merge that the agent began keeps its second parent.
 */
export async function commitAll(
  host: GitHost,
  ref: WorktreeRef,
  options: CommitOptions,
): Promise<{ commit: string } | null> {
  const { branchRef } = worktreePathsOf(host.dataDir, ref);
  if (branchRef === null) throw noBranch(ref, "commit in");
  const work = ({ tree }: Staged, quarantine: Quarantine) =>
    commitIn(host, ref, { quarantine, tree, options, branchRef });
  const checked = options.tree;
  if (checked === undefined) return withStaged(host, ref, { keep: false }, work);
  if (isUnread(checked))
    return inQuarantine(host, ref, (own) => commitUnread(host, ref, { checked, own, work }));
  return withStaged(host, ref, { most: MOST_BYTES, keep: false }, (staged, quarantine) => {
    assertUnchanged(ref, staged, checked);
    return work(staged, quarantine);
  });
}

async function commitIn(
  host: GitHost,
  ref: WorktreeRef,
  {
    quarantine,
    tree,
    options,
    branchRef,
  }: {
    readonly quarantine: Quarantine;
    readonly tree: string;
    readonly options: CommitOptions;
    readonly branchRef: string;
  },
): Promise<{ commit: string } | null> {
  const { entry } = worktreePathsOf(host.dataDir, ref);
  const [at, headTree] = await objectsAt(host, ref, ["HEAD^{commit}", "HEAD^{tree}"]);
  // Throws if the head is missing.
  const head = at ?? (await headOf(host, ref));
  const waiting = await mergedCommits(host, ref, entry);
  const merged = await missingOf(host, ref, head, waiting);
  await assertSettled(host, ref, quarantine, { head, tree, merged });
  if (merged.length === 0 && tree === headTree) {
    await installIndex(host, ref, quarantine);
    if (waiting.length > 0) await endMerge(entry);
    return null;
  }
  await release(host, ref, quarantine);
  await installIndex(host, ref, quarantine);
  const commit = await writeCommit(host, ref, { ...options, tree, parents: [head, ...merged] });
  host.crashPoint("git:commit-made");
  await setRef(host, ref.repository, branchRef, commit, head);
  host.crashPoint("git:committed");
  await endMerge(entry);
  return { commit };
}

/**
 * Commits work that was too large to read when it was last checked. A person approved it by the times of its files, so
 * those must not have changed until everything has been read.
 */
async function commitUnread<T>(
  host: GitHost,
  ref: WorktreeRef,
  {
    checked,
    own,
    work,
  }: {
    readonly checked: string;
    readonly own: Quarantine;
    readonly work: (staged: Staged, quarantine: Quarantine) => Promise<T>;
  },
): Promise<T> {
  const assertSame = async () => {
    const times = await inQuarantine(host, ref, (other) => stage(host, ref, other, { most: -1 }));
    assertUnchanged(ref, times, checked);
  };
  await assertSame();
  const staged = await stage(host, ref, own);
  await assertSame();
  return work(staged, own);
}

/** Throws code `tree_moved` if the files are not those of `checked`. */
export function assertUnchanged(ref: WorktreeRef, { tree }: Staged, checked: string): void {
  if (tree === checked) return;
  throw new GitError("tree_moved", `the files of ${ref.name} changed while they were looked at`, {
    consequence: "retry",
    advice: "They are looked at again.",
  });
}

/**
 * Returns the commits of a waiting merge that the branch lacks. After a crash the branch may already contain them;
 * merging them again would create a second merge commit.
 */
async function missingOf(
  host: GitHost,
  { repository }: WorktreeRef,
  head: string,
  merged: readonly string[],
): Promise<string[]> {
  const has = await Promise.all(merged.map((commit) => isAncestor(host, repository, commit, head)));
  return merged.filter((_, index) => has[index] !== true);
}

async function endMerge(entry: string): Promise<void> {
  await Promise.all(WAITING.map((name) => rm(join(entry, name), { force: true })));
}

/** Throws if a file of the merge's conflicts still contains conflict markers. */
async function assertSettled(
  host: GitHost,
  { repository }: WorktreeRef,
  { env }: Quarantine,
  {
    head,
    tree,
    merged,
  }: { readonly head: string; readonly tree: string; readonly merged: readonly string[] },
): Promise<void> {
  for (const theirs of merged) {
    const files = await unsettledIn(host, repository, { head, theirs, tree, env });
    if (files.length > 0)
      throw new GitError("conflict_markers", `conflict markers are left in ${files.join(", ")}`, {
        consequence: "tell",
        advice: "Settle them in these files, then commit.",
      });
  }
}

/** Returns the id of a commit's tree. */
export async function treeOf(host: GitHost, ref: WorktreeRef, commit: string): Promise<string> {
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["rev-parse", "--verify", `${commit}^{tree}`],
    purpose: `read the tree of ${commit}`,
  });
  return stdout.trim();
}

/** Builds the error for a detached checkout, which has no branch to commit to or to push. */
export function noBranch(ref: WorktreeRef, act: string): GitError {
  return new GitError("no_branch", `cannot ${act} ${ref.name}: it is a checkout without a branch`, {
    consequence: "stop",
    advice: "Use a role that has a branch for work that changes code.",
  });
}

/** Returns the commits that the worktree's next commit merges, from git's state of the worktree. */
export async function mergedCommits(host: GitHost, ref: WorktreeRef, entry: string): Promise<string[]> {
  const text = await readFile(join(entry, "MERGE_HEAD"), "utf8").catch(() => "");
  const named = text.split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  const found = await Promise.all(named.map((id) => commitAt(host, ref.repository, id)));
  return found.filter((id) => id !== null);
}
