import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { CommitOptions, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import type { GitHost } from "../process/git-host.ts";
import { treeGit } from "../process/tree-git.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { mirrorGit } from "./mirror.ts";

/** Returns the commit that `revision` names in the mirror; null if there is none. */
export async function commitAt(
  host: GitHost,
  repository: RepositoryRef,
  revision: string,
): Promise<string | null> {
  const { code, stdout } = await mirrorGit(host, repository, {
    args: ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`],
    purpose: `read ${revision}`,
    answers: [1, 128],
  });
  return code === 0 ? stdout.trim() : null;
}

/** Resolves several full ref names at once, to the commit and its first parent. Missing refs are left out. */
export async function readRefs(
  host: GitHost,
  repository: RepositoryRef,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly commit: string; readonly parent: string | null }>> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["for-each-ref", "--format=%(refname) %(objectname) %(parent)", ...names],
    purpose: "read the refs of the worktree",
  });
  const lines = stdout.split("\n").map((line) => line.split(" "));
  return new Map(
    lines.flatMap(([name = "", commit = "", parent = ""]) =>
      names.includes(name) ? [[name, { commit, parent: parent || null }]] : [],
    ),
  );
}

/**
 * Returns the ids of the objects that these revisions name, read by a single git process; null for each missing one.
 * `HEAD` is the worktree's.
 */
export async function objectsAt(
  host: GitHost,
  ref: WorktreeRef,
  revisions: readonly string[],
): Promise<readonly (string | null)[]> {
  const { stdout } = await treeGit(host, ref, {
    args: ["cat-file", "--batch-check=%(objectname)"],
    input: `${revisions.join("\n")}\n`,
    purpose: "read what the work stands on",
  });
  const lines = stdout.split("\n");
  return revisions.map((_, index) => /^[0-9a-f]{40,64}$/.exec(lines[index] ?? "")?.[0] ?? null);
}

/** Returns the commit that the agent's work is based on: its branch's head, or the detached HEAD. */
export async function headOf(host: GitHost, ref: WorktreeRef): Promise<string> {
  const { stdout } = await treeGit(host, ref, {
    args: ["rev-parse", "--verify", "HEAD^{commit}"],
    purpose: "read the head of the worktree",
  });
  return stdout.trim();
}

/** Returns whether `ancestor` is `commit` or is in its history. */
export async function isAncestor(
  host: GitHost,
  repository: RepositoryRef,
  ancestor: string,
  commit: string,
): Promise<boolean> {
  if (ancestor === commit) return true;
  const { code } = await mirrorGit(host, repository, {
    args: ["merge-base", "--is-ancestor", ancestor, commit],
    purpose: "compare two commits",
    answers: [1],
  });
  return code === 0;
}

/** Returns whether a branch of the server, as last fetched or pushed, contains the commit. */
export function isOnServer(host: GitHost, repository: RepositoryRef, commit: string): Promise<boolean> {
  return isWithin(host, repository, commit, ["refs/remotes/origin"]);
}

/** Returns whether the history of one of these refs, or of a ref below them, contains the commit. */
export async function isWithin(
  host: GitHost,
  repository: RepositoryRef,
  commit: string,
  refs: readonly string[],
): Promise<boolean> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["for-each-ref", "--count=1", `--contains=${commit}`, ...refs],
    purpose: "look for the commit on the server's branches",
  });
  return stdout !== "";
}

/**
 * Points a ref of the mirror to a commit, or deletes it if the commit is null. `expected` makes it a compare-and-swap.
 */
export async function setRef(
  host: GitHost,
  repository: RepositoryRef,
  name: string,
  commit: string | null,
  expected?: string,
): Promise<void> {
  const change = commit === null ? ["-d", name] : [name, commit];
  await mirrorGit(host, repository, {
    args: ["update-ref", "--no-deref", ...change, ...(expected === undefined ? [] : [expected])],
    purpose: `set ${name}`,
  });
}

/** Writes a commit object and returns its id. Runs no hook and no editor, adds no signature, moves no ref. */
export async function writeCommit(
  host: GitHost,
  ref: Pick<WorktreeRef, "repository">,
  commit: { tree: string; parents: readonly string[] } & Omit<CommitOptions, "tree">,
): Promise<string> {
  const { name, email } = commit.author;
  const { stdout } = await mirrorGit(host, ref.repository, {
    args: ["commit-tree", commit.tree, ...commit.parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    input: `${commit.message.replaceAll("\0", "").trimEnd()}\n`,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
    purpose: "write the commit",
  });
  return stdout.trim();
}

/** Returns the remembered base commit of a worktree; null before it is first prepared. */
export function baseOf(host: GitHost, ref: WorktreeRef): Promise<string | null> {
  return commitAt(host, ref.repository, worktreePathsOf(host.dataDir, ref).baseRef);
}
