import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Change } from "../../../domain/ports/worktrees.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit } from "../process/safe-names.ts";

/** Maximum number of cached answers. */
const MOST_KEPT = 200;

/** Files of a change that is read, and bytes of git's answer about them. GitHub lists as many. */
const MOST_FILES = 3000;
const MOST_BYTES = 2 * 1024 * 1024;

/** Commits of the base branch that are searched for reverts, and reverts among them whose files are read. */
const COMMITS_SEARCHED = 500;
const MOST_REVERTS = 50;

/** How git, GitHub and the usual conventions begin the message of a revert. */
const REVERT = /^(?:revert[:!(\s]|reapply\s)/i;

/**
 * Creates a function that reads what a commit changes since it left its base. It reads only commits in the mirror.
 * Answers are cached, because commits never change.
 */
export function changeReader(host: GitHost) {
  const kept = new Map<string, Change | null>();

  return async (
    repository: RepositoryRef,
    { base, head }: { readonly base: string; readonly head: string },
  ): Promise<Change | null> => {
    assertCommit(base);
    assertCommit(head);
    const key = `${repository.id} ${base} ${head}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const change = await readChange(host, repository, { base, head });
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, change);
    return change;
  };
}

async function readChange(
  host: GitHost,
  repository: RepositoryRef,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<Change | null> {
  const ask = async (purpose: string, args: readonly string[]) =>
    (await mirrorGit(host, repository, { purpose, args, answers: [1], enoughBytes: MOST_BYTES })).stdout;
  const fork = (await ask("find where the work left the base branch", ["merge-base", head, base])).trim();
  if (fork === "") return null;
  const counted = await ask("count the lines of a change", [
    "diff-tree",
    "-r",
    "-z",
    "--numstat",
    "--no-renames",
    fork,
    head,
  ]);
  const files = counted.split("\0").flatMap(fileOf);
  if (files.length > MOST_FILES || counted.length >= MOST_BYTES) return null;
  const paths = new Set(files.map(({ path }) => path));
  const reverted = new Set<string>();
  for (const commit of await revertsIn(ask, base)) {
    const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-commit-id", "--root", commit];
    for (const path of (await ask("read what a revert changed", args)).split("\0"))
      if (paths.has(path)) reverted.add(path);
  }
  return { files, reverted: [...reverted].toSorted() };
}

/** `entry` = `<added>\t<deleted>\t<path>`, with `-` for both of a binary file. */
function fileOf(entry: string): Change["files"] {
  const [, added, deleted, path] = /^(\d+|-)\t(\d+|-)\t([^]+)$/.exec(entry) ?? [];
  if (path === undefined) return [];
  return [{ path, lines: added === "-" ? null : Number(added) + Number(deleted) }];
}

async function revertsIn(
  ask: (purpose: string, args: readonly string[]) => Promise<string>,
  base: string,
): Promise<readonly string[]> {
  const told = await ask("read the last commits of the base branch", [
    "log",
    `--max-count=${COMMITS_SEARCHED}`,
    "-z",
    "--format=%H %s",
    base,
  ]);
  const commits = told.split("\0").flatMap((line) => {
    const space = line.indexOf(" ");
    return space > 0 && REVERT.test(line.slice(space + 1)) ? [line.slice(0, space)] : [];
  });
  return commits.slice(0, MOST_REVERTS);
}
