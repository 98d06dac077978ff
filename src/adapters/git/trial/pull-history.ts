import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { commitAt } from "../mirror/commits.ts";
import { fetchBranches, fetchCommits, mirrorGit, openMirror } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";

/** A merged pull request: its last commit, and what the base branch got of it. */
export interface MergedCommits {
  readonly pull: number;
  readonly head: string;
  readonly merge: string;
}

/** The commits of a merged pull request. */
export interface PullHistory {
  /** Where they left the base branch. */
  readonly base: string;
  readonly commits: readonly {
    readonly id: string;
    /** When its author made it, in milliseconds since the epoch. */
    readonly at: number;
  }[];
}

/**
 * Returns the commits of a merged pull request; null where the server no longer has them. Asks it only for what the mirror
 * lacks.
 */
export async function readPullHistory(
  host: GitHost,
  repository: RepositoryRef,
  { pull, head, merge }: MergedCommits,
): Promise<PullHistory | null> {
  if (!(await bring(host, repository, { pull, onBranch: merge, head }))) return null;
  const onto = await commitAt(host, repository, `${merge}^1`);
  if (onto === null) return null;
  const { code, stdout } = await mirrorGit(host, repository, {
    args: ["merge-base", onto, head],
    purpose: "read where a pull request began",
    answers: [1],
  });
  if (code !== 0) return null;
  return { base: stdout.trim(), commits: await commitsOf(host, repository, [head, `^${onto}`]) };
}

/** Returns false where the server lacks one of the commits. */
async function bring(
  host: GitHost,
  repository: RepositoryRef,
  { pull, onBranch, head }: { readonly pull: number; readonly onBranch: string; readonly head: string },
): Promise<boolean> {
  for (const commit of [onBranch, head]) assertCommit(commit);
  await openMirror(host, repository);
  const isHere = async (commit: string) => (await commitAt(host, repository, commit)) !== null;
  if (!(await isHere(onBranch))) await fetchBranches(host, repository);
  if (!(await isHere(head))) await fetchCommits(host, repository, `refs/pull/${pull}/head`);
  return (await isHere(onBranch)) && (await isHere(head));
}

/** What a case needs of the server. */
export interface CaseCommits {
  readonly pull: number;
  readonly base: string;
  readonly change: string;
}

/** Gets a case's commits where the mirror lacks them. Throws `GitError` `commit_missing`. */
export async function fetchCase(
  host: GitHost,
  repository: RepositoryRef,
  { pull, base, change }: CaseCommits,
): Promise<void> {
  if (await bring(host, repository, { pull, onBranch: base, head: change })) return;
  throw new GitError("commit_missing", `the commits of #${pull} are no longer on the server`, {
    consequence: "stop",
    advice: "The history was rewritten. Begin a new trial, which chooses its cases again.",
  });
}

async function commitsOf(
  host: GitHost,
  repository: RepositoryRef,
  range: readonly string[],
): Promise<PullHistory["commits"]> {
  const { stdout } = await mirrorGit(host, repository, {
    args: ["log", "-z", "--format=%H %at", ...range],
    purpose: "read the commits of a pull request",
  });
  return stdout
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", seconds = ""] = line.split(" ");
      return { id, at: Number(seconds) * 1000 };
    });
}

/** Returns the paths of all files of a commit. */
export async function pathsAt(
  host: GitHost,
  repository: RepositoryRef,
  commit: string,
): Promise<readonly string[]> {
  assertCommit(commit);
  const { stdout } = await mirrorGit(host, repository, {
    args: ["ls-tree", "-r", "-z", "--name-only", commit],
    purpose: "list the files of a commit",
  });
  return stdout.split("\0").filter((path) => path !== "");
}

/** Returns the patch between two commits, cut at `limit` characters. */
export async function patchBetween(
  host: GitHost,
  repository: RepositoryRef,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<string> {
  for (const commit of [from, to]) assertCommit(commit);
  const { stdout } = await mirrorGit(host, repository, {
    args: ["diff-tree", "-r", "--patch", "--no-ext-diff", "--no-textconv", "--no-renames", from, to],
    // No character has more bytes.
    enoughBytes: 4 * limit,
    purpose: "compare two commits",
  });
  return stdout.slice(0, limit);
}
