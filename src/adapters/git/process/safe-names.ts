import { GitError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";

const DIRECTORY = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const BRANCH = /^[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}$/;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Checks names that become paths, refs and a URL. Refuses everything that is not clearly harmless, before any command
 * runs. Throws `GitError` with code `bad_name`.
 */
export function assertSafeRef(ref: WorktreeRef): void {
  assertSafeRepository(ref.repository);
  if (!DIRECTORY.test(ref.name) || hasUnsafePart(ref.name)) throw badName("worktree name", ref.name);
  if (ref.branch !== null) assertSafeBranch(ref.branch);
}

/** Checks that a branch name is safe as a ref and as an argument. Throws `GitError` with code `bad_name`. */
export function assertSafeBranch(branch: string): void {
  if (!BRANCH.test(branch) || hasUnsafePart(branch)) throw badName("branch name", branch);
}

/** Checks a full object id. Throws `GitError` with code `bad_name`. */
export function assertCommit(commit: string): void {
  if (!COMMIT.test(commit)) throw badName("commit id", commit);
}

function assertSafeRepository(repository: RepositoryRef): void {
  if (!Number.isSafeInteger(repository.id) || repository.id < 0) {
    throw badName("repository id", String(repository.id));
  }
  for (const part of [repository.owner, repository.name]) {
    if (!DIRECTORY.test(part.replace(/^\./, "_")) || part.includes("..")) throw badName("repository", part);
  }
}

/** Returns whether the name breaks one of git's rules for refs beyond the character set. */
function hasUnsafePart(name: string): boolean {
  return (
    name.includes("..") ||
    name.split("/").some((part) => part === "" || /^[.-]/.test(part) || /\.(?:lock)?$/.test(part))
  );
}

function badName(what: string, value: string): GitError {
  return new GitError("bad_name", `refused the ${what} ${JSON.stringify(value.slice(0, 100))}`, {
    consequence: "stop",
    advice: "Names may hold letters, digits, dot, underscore, dash and, in a branch, slash.",
  });
}
