import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { BranchComparison, Candidate } from "../../../domain/ports/worktrees.ts";
import { fetchedTip } from "../mirror/base-tip.ts";
import { readRefs } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { mergedTree } from "./merged-tree.ts";
import { isSameWork } from "./same-work.ts";

/** Maximum number of cached answers; a merge queue rarely has more than a few dozen branches. */
const MOST_KEPT = 500;

/**
 * Creates a function that compares branches with their base. It fetches once and then reads only commits in the mirror.
 * Answers are cached by the three commits involved: commits never change, and a queue is checked often while few of its
 * branches move.
 */
export function branchComparer(host: GitHost) {
  const kept = new Map<string, BranchComparison>();

  return async (
    repository: RepositoryRef,
    base: string,
    candidates: readonly Candidate[],
  ): Promise<readonly BranchComparison[]> => {
    for (const { branch, approved } of candidates) {
      assertSafeBranch(branch);
      assertCommit(approved);
    }
    const tip = await fetchedTip(host, repository, base);
    const named = candidates.map(({ branch }) => `refs/remotes/origin/${branch}`);
    const heads = await readRefs(host, repository, named);
    const found: BranchComparison[] = [];
    for (const [index, { approved }] of candidates.entries()) {
      const head = heads.get(named[index] ?? "")?.commit ?? null;
      const key = `${repository.id} ${tip} ${approved} ${head}`;
      const comparison =
        kept.get(key) ?? (await comparisonOf(host, repository, { base: tip, approved, head }));
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, comparison);
      found.push(comparison);
    }
    return found;
  };
}

interface Compared {
  readonly base: string;
  readonly approved: string;
  readonly head: string | null;
}

async function comparisonOf(
  host: GitHost,
  repository: RepositoryRef,
  { base, approved, head }: Compared,
): Promise<BranchComparison> {
  const none = { base, files: [], shared: [], conflicts: [] };
  if (head === null) return { ...none, head, approved: false, current: false };
  const ask = async (purpose: string, args: readonly string[]) =>
    (await mirrorGit(host, repository, { purpose, args, answers: [1] })).stdout;
  const changed = async (from: string, to: string) => {
    const names = await ask("compare two commits", [
      "diff-tree",
      "-r",
      "--no-renames",
      "--name-only",
      "-z",
      from,
      to,
    ]);
    return names.split("\0").filter((name) => name !== "");
  };
  const isApproved = await isSameWork(host, repository, { approved, head, base });
  const fork = (await ask("find where the work left the base branch", ["merge-base", head, base])).trim();
  const files = await changed(fork === "" ? base : fork, head);
  const known = { ...none, head, approved: isApproved, files };
  if (fork === base) return { ...known, current: true };
  const theirs = new Set(fork === "" ? [] : await changed(fork, base));
  const { conflicts } = await mergedTree(host, repository, head, base);
  return { ...known, current: false, shared: files.filter((file) => theirs.has(file)), conflicts };
}
