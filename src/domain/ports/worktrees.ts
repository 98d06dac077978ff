import type { RepositoryRef } from "../kernel/repository.ts";
import type { PendingWork } from "./agent-tables.ts";

/** Which worktree: `name` is the agent's name, unique in its repository, and becomes the directory's name. */
export interface WorktreeRef {
  readonly repository: RepositoryRef;
  readonly name: string;
  /** The agent's own branch, or null for a detached throw-away checkout. */
  readonly branch: string | null;
}

export interface WorktreePrepared {
  /** Absolute path of the working directory. */
  readonly path: string;
  /** Commit the work starts from: merge base with the base branch. */
  readonly baseCommit: string;
  /** Commit checked out now. */
  readonly head: string;
  /** fresh = new branch from the base; existing = directory was there; pushed = from the branch on the server; checkpoint = from what the mirror kept: the checkpoint ref, or commits that were not pushed. */
  readonly origin: "fresh" | "existing" | "pushed" | "checkpoint";
  /** Commits of somebody else that the work was put on top of; left out where there were none. */
  readonly takenUp?: RebaseResult;
}

/** The branch is at the server's head; what was not pushed lies on it as uncommitted changes. */
export interface RebaseResult {
  readonly head: string;
  /** Files in which both changed the same lines; they hold conflict markers. */
  readonly conflicts: readonly string[];
}

export interface WorktreeStatus {
  readonly exists: boolean;
  /** No uncommitted change, tracked or not, by `status --ignore-submodules=all`. */
  readonly clean: boolean;
  /** The branch's head is in a branch of the server, as last fetched or pushed, or has no commit beyond the base. */
  readonly pushed: boolean;
  readonly head: string | null;
  /** Paths with uncommitted changes, at most 100. */
  readonly changed: readonly string[];
}

export interface CommitOptions {
  readonly message: string;
  /** The tree that was looked at: any other is not committed, code `tree_moved`. */
  readonly tree?: string;
  readonly author: { readonly name: string; readonly email: string };
}

/** Work made by the agent, seen from the host. */
export interface BranchDiff {
  /** Files changed between base and head. */
  readonly files: readonly string[];
  /** Unified diff, cut at `limit` characters. */
  readonly patch: string;
}

/** What the server has of an agent's branch, and what its work changes. */
export interface BranchFacts {
  /** The branch's head on the server now; null when it has no such branch. */
  readonly server: string | null;
  /** The server's head lies in the history of the commit that was asked about, and is not that commit. */
  readonly serverBehind: boolean;
  /** Files that differ between the commit and where it left the base branch. */
  readonly files: readonly string[];
}

/** What the base branch has that an agent's work lacks. The work counts as committed or kept in a checkpoint. */
export interface BaseNews {
  /** Commits of the base branch that the work does not have. */
  readonly commits: number;
  /** Those of them that change a file which the work changes too, newest first, at most 10. */
  readonly touching: readonly { readonly commit: string; readonly subject: string }[];
  /** Files at which a merge of the base branch into the work would meet a conflict. */
  readonly conflicts: readonly string[];
}

/** A bundle that restores an agent's work in any clone of the repository, on the disk and read back. */
export interface ArchivedWork {
  /** Relative to the data directory. The ref in it: `archiveRefOf` in domain/tasks/archive.ts. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** The worktree's directory as it was, relative to the data directory, where more files changed than a bundle can hold. */
  readonly files?: string;
}

/** A place in which nothing but one commit is. Both are absolute paths. */
export interface CleanCheckout {
  readonly path: string;
  /** An empty directory beside it. */
  readonly home: string;
}

/**
 * git, owned by the host: one bare mirror per repository, one linked worktree per agent.
 * Every method throws `GitError` with a consequence; none ever runs git in the agent's directory without our `--git-dir`.
 */
export interface Worktrees extends Integration {
  /**
   * Makes the working directory ready; idempotent. An existing healthy one is kept as it is (with its uncommitted files).
   * A missing one is rebuilt from the checkpoint, else from the pushed branch when `reusePushed`, else fresh from `base`
   * (the repository's default branch when null). With `reusePushed` the work is put on top of what somebody else pushed
   * to the branch. `commit` = where one without a branch begins instead; throws code `commit_missing`.
   */
  prepare(
    ref: WorktreeRef,
    options: { base: string | null; reusePushed: boolean; commit?: string },
  ): Promise<WorktreePrepared>;
  status(ref: WorktreeRef): Promise<WorktreeStatus>;
  /** Commits every change on the agent's branch; null when there is nothing to commit. Never runs hooks. */
  commit(ref: WorktreeRef, options: CommitOptions): Promise<{ commit: string } | null>;
  /** Pushes the branch, never forced; `expected` null means the branch must not exist yet or be an ancestor. Throws code `foreign_commits` when the server has commits that we did not make. */
  push(ref: WorktreeRef): Promise<{ commit: string }>;
  /** What the next commit would take in; its patch is left out where its files are more than `limit` bytes. */
  pending(ref: WorktreeRef, limit: number): Promise<PendingWork>;
  /** Saves everything, committed or not, as a commit at `refs/flotilla/checkpoints/<name>` in the mirror and, unless `push` is false, tries to push that ref; the branch does not move. Null when there is nothing beyond the base. */
  checkpoint(
    ref: WorktreeRef,
    options?: { push: boolean },
  ): Promise<{ commit: string; pushed: boolean } | null>;
  /** Puts the named paths back to the state of the branch's head; a path that is not in it is deleted. Paths are relative to the worktree; one that leaves it is refused with code `path_outside`. */
  restore(ref: WorktreeRef, paths: readonly string[]): Promise<void>;
  /** Returns a hash of all content that a commit would take in, committed or not: the same for the same files. */
  tree(ref: WorktreeRef): Promise<string>;
  diff(ref: WorktreeRef, baseCommit: string, limit: number): Promise<BranchDiff>;
  /** Asks the server what it has of the branch, and compares the commit with the branch `base`. */
  inspect(ref: WorktreeRef, options: { commit: string; base: string }): Promise<BranchFacts>;
  /** Compares the work with the branch `base` as last fetched; asks no server and changes no ref. Code `base_not_found`. */
  behind(ref: WorktreeRef, base: string): Promise<BaseNews>;
  /** Changes when one of these files at the top of the worktree does, or when the directory was made again. */
  digest(ref: WorktreeRef, names: readonly string[]): Promise<string>;
  /** Makes a clean detached checkout of a commit beside the worktree; one that was left is made again. Throws code `commit_missing`. */
  checkout(ref: WorktreeRef, commit: string): Promise<CleanCheckout>;
  /** Deletes the checkout and its home, whatever they hold. Idempotent. */
  removeCheckout(ref: WorktreeRef): Promise<void>;
  /**
   * Removes the directory and its git data. What it holds, committed or not, that neither a branch of the server nor the
   * branch `base` has, as far as the server answers, is archived first; where too many files changed for that, their directory is kept as it is. On any failure the worktree stays. Ignored files and submodules go with it.
   * Idempotent, and returns the same archive again. One without a branch is a throw-away and never archived.
   */
  remove(ref: WorktreeRef, options: { base: string }): Promise<{ archive: ArchivedWork | null }>;
  /** For work whose time is over: deletes the archive, and what the mirror and the server keep under our own refs. Branches stay. */
  forget(ref: WorktreeRef): Promise<void>;
  /** Repacks the repository's mirror when it has many packs, and deletes objects that have been unreachable for two days. */
  tidy(repository: RepositoryRef): Promise<void>;
}

/** A branch that is to be merged, and the commit of it that was approved. */
export interface Candidate {
  readonly branch: string;
  readonly approved: string;
}

/** How a branch stands to its base, both as the server has them now. */
export interface BranchComparison {
  /** Null when the server has no such branch. */
  readonly head: string | null;
  /** The head of the base branch. */
  readonly base: string;
  /** The head is the approved commit, or nothing but clean merges of the base into it. */
  readonly approved: boolean;
  /** The head contains all of the base. */
  readonly current: boolean;
  /** Files that the branch changes since it left the base. */
  readonly files: readonly string[];
  /** Those of them that the base has changed since, too. */
  readonly shared: readonly string[];
  /** Files in which a merge would conflict. */
  readonly conflicts: readonly string[];
}

/** What came of bringing the base into a branch on the server. */
export type Updated =
  /** The branch's head there is this commit now: a clean merge of the base. */
  | { readonly kind: "updated"; readonly commit: string }
  /** It contained the base already. */
  | { readonly kind: "current" }
  /** `base` = the commit of the base branch. */
  | { readonly kind: "conflict"; readonly base: string; readonly files: readonly string[] }
  /** Its head is another than the expected one; null when the branch is gone. */
  | { readonly kind: "moved"; readonly head: string | null }
  /** `mayPush` did not allow the push. */
  | { readonly kind: "held" };

/** The base branch in an agent's worktree: the next commit there has it as its second parent. */
export interface BroughtIn {
  /** The commit of the base branch. */
  readonly base: string;
  /** Files that hold conflict markers. */
  readonly conflicts: readonly string[];
}

/** What git does to bring work and its base branch together. Every method throws `GitError`. */
export interface Integration {
  /** Asks the server once for all of them. Code `base_not_found`. */
  standings(
    repository: RepositoryRef,
    base: string,
    candidates: readonly Candidate[],
  ): Promise<readonly BranchComparison[]>;
  /**
   * Merges the base into the branch in the mirror and pushes that, never forced, where the branch's head is `expected`. A
   * second call after one that went through says `updated` again.
   */
  updateBranch(
    repository: RepositoryRef,
    options: {
      readonly branch: string;
      readonly base: string;
      readonly expected: string;
      readonly author: CommitOptions["author"];
      /** Asked last, right before the push, when everything else is at hand. */
      readonly mayPush?: () => Promise<boolean>;
    },
  ): Promise<Updated>;
  /**
   * Merges the base branch into the agent's worktree and leaves that uncommitted, with conflict markers where both changed
   * the same lines; the agent's next commit is the merge. Null when the branch contains the base and no merge waits.
   * Where one waits already it stays as it is, with what is left of its conflicts. Idempotent.
   */
  bringIn(ref: WorktreeRef, base: string): Promise<BroughtIn | null>;
}
