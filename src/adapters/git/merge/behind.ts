import { GitError } from "../../../domain/kernel/errors.ts";
import type { NewBaseCommits, WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { readRefs } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertSafeBranch } from "../process/safe-names.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { changedSince } from "../worktree/inspect.ts";

const MOST_TOUCHING = 10;
/**
 * Maximum number of paths that are compared with the base's commits, because the length of a command line is limited.
 */
const MOST_PATHS = 500;
const NO_CHANGES: NewBaseCommits = { commits: 0, touching: [], conflicts: [] };

/**
 * Returns what the base branch has that the work lacks, and the conflicts that a merge would cause. Works in the mirror
 * on commits alone, so no work tree, hook or file of the agent's has an effect. No ref names the tree of the trial
 * merge.
 */
export async function readBehind(host: GitHost, ref: WorktreeRef, base: string): Promise<NewBaseCommits> {
  assertSafeBranch(base);
  const { branchRef, checkpointRef } = worktreePathsOf(host.dataDir, ref);
  const tipRef = `refs/remotes/origin/${base}`;
  const names = [tipRef, branchRef, checkpointRef].filter((name) => name !== null);
  const refs = await readRefs(host, ref.repository, names);
  const tip = refs.get(tipRef)?.commit;
  if (tip === undefined)
    throw new GitError("base_not_found", `there is no branch ${base} in the mirror`, {
      consequence: "tell",
      advice: "Bring the base branch back, or change the repository's default branch.",
    });
  if (branchRef === null) return NO_CHANGES;
  const head = refs.get(branchRef)?.commit ?? null;
  const saved = refs.get(checkpointRef);
  // The checkpoint counts only if it is directly on top of the branch's head.
  const work = saved !== undefined && saved.parent === head ? saved.commit : head;
  if (work === null || work === tip) return NO_CHANGES;
  const ask = async (purpose: string, args: readonly string[]) =>
    mirrorGit(host, ref.repository, { purpose, args, answers: args[0] === "merge-tree" ? [1] : [] });
  const missing = await ask("count the base branch's new commits", [
    "rev-list",
    "--count",
    `${work}..${tip}`,
  ]);
  const commits = Number(missing.stdout.trim());
  const mine = commits === 0 ? [] : await changedSince(host, ref, { tip, commit: work });
  if (mine.length === 0) return { ...NO_CHANGES, commits };
  const log = await ask("find the base branch's commits that touch the work's files", [
    "--literal-pathspecs",
    "log",
    "-z",
    `--max-count=${MOST_TOUCHING}`,
    "--format=%H %s",
    `${work}..${tip}`,
    "--",
    ...mine.slice(0, MOST_PATHS),
  ]);
  const merge = await ask("predict the conflicts with the base branch", [
    "merge-tree",
    "--write-tree",
    "--allow-unrelated-histories",
    "--name-only",
    "--no-messages",
    "-z",
    work,
    tip,
  ]);
  return {
    commits,
    touching: parts(log.stdout).map((line) => ({ commit: line.slice(0, 40), subject: line.slice(41) })),
    // The tree's id comes first.
    conflicts: merge.code === 0 ? [] : parts(merge.stdout).slice(1),
  };
}

function parts(output: string): string[] {
  return output.split("\0").filter((part) => part !== "");
}
