import type { RepositoryRef } from "../kernel/repository.ts";
import type { PendingWork } from "./agent-tables.ts";
import type { ChangedFile, ReadBounds } from "./changed-file.ts";
import type { CommitToSign } from "./github-changes.ts";
import type { KeptSetups } from "./kept-setups.ts";

/** Identifies a worktree: `name` is the agent's name, unique in its repository, and becomes the directory's name. */
export interface WorktreeRef {
  readonly repository: RepositoryRef;
  readonly name: string;
  /** The agent's own branch, or null for a detached temporary checkout. */
  readonly branch: string | null;
}

export interface WorktreePrepared {
  /** Absolute path of the working directory. */
  readonly path: string;
  /** Commit from which the work starts: the merge base with the base branch. */
  readonly baseCommit: string;
  /** Commit checked out now. */
  readonly head: string;
  /**
   * fresh = new branch from the base; existing = the directory existed; pushed = from the branch on the server;
   * checkpoint = from the mirror: the checkpoint ref, or commits that were not pushed.
   */
  readonly origin: "fresh" | "existing" | "pushed" | "checkpoint";
  /** The checkpoint with whose uncommitted changes it was rebuilt; null where none was used. */
  readonly checkpoint: string | null;
  /** Commits of somebody else on which the work was rebased; undefined where there were none. */
  readonly takenUp?: RebaseResult;
}

/** The branch is at the server's head; work that was not pushed is on top as uncommitted changes. */
export interface RebaseResult {
  readonly head: string;
  /** Files in which both changed the same lines; they contain conflict markers. */
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
  /** The tree that was examined: any other is not committed, code `tree_moved`. */
  readonly tree?: string;
  readonly author: { readonly name: string; readonly email: string };
}

/** What the commits of a branch change, also after its worktree was removed. */
export interface BranchDiff {
  /** Files changed between base and head. */
  readonly files: readonly string[];
  /** Unified diff, cut at `limit` characters. */
  readonly patch: string;
}

/** The state of an agent's branch on the server, and what its work changes. */
export interface BranchFacts {
  /** The branch's head on the server now; null when there is no such branch. */
  readonly server: string | null;
  /** The server's head is an ancestor of the given commit. */
  readonly serverBehind: boolean;
  /** Files that differ between the commit and its merge base. */
  readonly files: readonly string[];
}

/** What the base branch has that an agent's work lacks. The work counts as committed or kept in a checkpoint. */
export interface NewBaseCommits {
  /** Number of commits of the base branch that the work does not have. */
  readonly commits: number;
  /** Those that change a file which the work changes too, newest first, at most 10. */
  readonly touching: readonly { readonly commit: string; readonly subject: string }[];
  /** Files in which a merge of the base branch into the work would conflict. */
  readonly conflicts: readonly string[];
}

/** A bundle that restores an agent's work in any clone of the repository; written to disk and verified. */
export interface ArchivedWork {
  /** Relative to the data directory. The ref in it: `archiveRefOf` in domain/tasks/archive.ts. */
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
  readonly bytes: number;
  /**
   * The worktree's directory as it was, relative to the data directory, where more files changed than a bundle can
   * hold.
   */
  readonly files?: string;
}

/** A directory with the files of one commit and nothing else. Both are absolute paths. */
export interface CleanCheckout {
  readonly path: string;
  /** An empty directory beside it. */
  readonly home: string;
}

/** An entry of a commit that is no directory. */
export interface TreeFile {
  readonly path: string;
  readonly kind: "file" | "link" | "submodule";
  /** The hash of its content, in hex; for a link, of the path that it leads to. */
  readonly blob: string;
  readonly bytes: number;
}

/**
 * git, owned by the host: one bare mirror per repository, one linked worktree per agent. Every method throws `GitError`
 * with a consequence; none ever runs git in the agent's directory without our `--git-dir`.
 */
export interface Worktrees extends Integration, KeptSetups<WorktreeRef> {
  /**
   * Makes the working directory ready; idempotent. A healthy one stays, with its uncommitted files; a missing one is made
   * from the checkpoint, else the pushed branch if `reusePushed` (then rebased on foreign pushes), else `base` (null = the
   * default branch). `commit` = where a new one starts, the head of that `pull` if on no branch; throws `commit_missing`.
   * `changeOf` = a commit, or `onto..commit`, whose change a new worktree begins with, as uncommitted files, with conflict
   * markers where it does not fit; throws code `commit_missing`.
   * `saved` = checkpoints of ours, the newest first: no other commit is taken from the server as one, whatever its ref says.
   */
  prepare(
    ref: WorktreeRef,
    options: {
      base: string | null;
      reusePushed: boolean;
      commit?: string;
      pull?: number;
      changeOf?: string;
      saved?: readonly string[];
    },
  ): Promise<WorktreePrepared>;
  status(ref: WorktreeRef): Promise<WorktreeStatus>;
  /** Commits every change on the agent's branch; null when there is nothing to commit. Never runs hooks. */
  commit(ref: WorktreeRef, options: CommitOptions): Promise<{ commit: string } | null>;
  /**
   * Pushes the branch, never forced, and returns its head there. Throws code `foreign_commits` when the server has commits
   * that we did not make. With `signing` the server makes each of the commits again, with the same files and message, and
   * the branch is at those then, here too.
   */
  push(
    ref: WorktreeRef,
    options?: { readonly signing?: ServerSigning | undefined },
  ): Promise<{ commit: string }>;
  /** Returns what the next commit would contain; without its patch where its files have more than `limit` bytes. */
  pending(ref: WorktreeRef, limit: number): Promise<PendingWork>;
  /**
   * Saves everything, committed or not, as a commit at `refs/flotilla/checkpoints/<name>` in the mirror and, unless
   * `push` is false, tries to push that ref; the branch does not move. Null when there is nothing beyond the base. The
   * agent may be at work. `tree` = the tree that was examined: any other is not saved, code `tree_moved`.
   */
  checkpoint(
    ref: WorktreeRef,
    options?: { push?: boolean; tree?: string },
  ): Promise<{ commit: string; pushed: boolean } | null>;
  /** Sends a checkpoint to the server, in place of the one before. */
  pushCheckpoint(ref: WorktreeRef, commit: string): Promise<void>;
  /**
   * Restores the named paths to the branch's head; a path that is not in it is deleted. Paths are relative to the
   * worktree; one outside it is refused with code `path_outside`.
   */
  restore(ref: WorktreeRef, paths: readonly string[]): Promise<void>;
  /** Returns a hash of all content that a commit would contain, committed or not; equal files give equal hashes. */
  tree(ref: WorktreeRef): Promise<string>;
  diff(ref: WorktreeRef, baseCommit: string, limit: number): Promise<BranchDiff>;
  /**
   * Returns the entries of a commit that match one of the patterns (`**` any directories, `*` any characters but `/`),
   * in order of their paths, and at most `most` of them. Reads the mirror, never a working directory.
   */
  filesAt(
    repository: RepositoryRef,
    commit: string,
    options: { readonly patterns: readonly string[]; readonly most: number },
  ): Promise<readonly TreeFile[]>;
  /** Returns the first `most` bytes of a content in the mirror, as UTF-8. */
  blob(repository: RepositoryRef, blob: string, most: number): Promise<string>;
  /** Returns contents in the mirror, whole, as UTF-8, by their hashes. */
  texts(repository: RepositoryRef, blobs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads the branch's state from the server, and compares the commit with the branch `base`. */
  inspect(ref: WorktreeRef, options: { commit: string; base: string }): Promise<BranchFacts>;
  /**
   * Reads the files that the commit changes since it left the branch `base` as last fetched, before and after, from git's
   * objects alone; only those that are `wanted`, by path. Contacts no server.
   */
  changedFiles(
    ref: WorktreeRef,
    options: {
      readonly commit: string;
      readonly base: string;
      readonly wanted: (path: string) => boolean;
      readonly bounds: ReadBounds;
    },
  ): Promise<readonly ChangedFile[]>;
  /**
   * Compares the work with the branch `base` as last fetched; contacts no server and changes no ref. Code
   * `base_not_found`.
   */
  behind(ref: WorktreeRef, base: string): Promise<NewBaseCommits>;
  /**
   * Returns a hash that changes with one of these files at the top of the worktree, and when the directory is created
   * again.
   */
  digest(ref: WorktreeRef, names: readonly string[]): Promise<string>;
  /**
   * Creates a clean detached checkout of a commit beside the worktree; replaces one that was left. Throws code
   * `commit_missing`.
   */
  checkout(ref: WorktreeRef, commit: string): Promise<CleanCheckout>;
  /** Deletes the checkout and its home, whatever they hold. Idempotent. */
  removeCheckout(ref: WorktreeRef): Promise<void>;
  /**
   * Removes the directory and its git data; idempotent. Work that neither a branch of the server nor `base` has is
   * archived first; with too many changed files, the directory itself is kept. After a failure the worktree stays.
   * Ignored files and submodules are deleted, and a worktree without a branch is never archived.
   */
  remove(ref: WorktreeRef, options: { base: string }): Promise<{ archive: ArchivedWork | null }>;
  /**
   * For work whose retention is over: deletes the archive, and what mirror and server keep under our own refs. Branches
   * stay.
   */
  forget(ref: WorktreeRef): Promise<void>;
  /**
   * Repacks the repository's mirror when it has many packs, and deletes objects that have been unreachable for two
   * days.
   */
  tidy(repository: RepositoryRef): Promise<void>;
}

/** How a server that signs commits makes them itself. Both throw `GitHubError`. */
export interface ServerSigning {
  /** Makes a commit that no branch leads to, of files and parents that the server has; returns it. */
  commit(commit: CommitToSign): Promise<string>;
  /** Points a branch to a commit. Returns false where that would lose commits of the branch. */
  moveBranch(branch: string, commit: string): Promise<boolean>;
}

/** A branch that is to be merged, and its approved commit. */
export interface Candidate {
  readonly branch: string;
  readonly approved: string;
}

/** A branch compared with its base, both as the server has them now. */
export interface BranchComparison {
  /** Null when the server has no such branch. */
  readonly head: string | null;
  /** The head of the base branch. */
  readonly base: string;
  /** The head is the approved commit plus clean merges of the base only. */
  readonly approved: boolean;
  /** The head contains all of the base. */
  readonly current: boolean;
  /** Files that the branch changes since its merge base. */
  readonly files: readonly string[];
  /** Those that the base has changed since then, too. */
  readonly shared: readonly string[];
  /** Files in which a merge would conflict. */
  readonly conflicts: readonly string[];
}

/** What a branch changes since it left its base, without renames: a file that moved is one that went and one that came. */
export interface Change {
  readonly files: readonly {
    readonly path: string;
    /** Lines added and deleted; null for a binary file. */
    readonly lines: number | null;
  }[];
  /** Those of the paths that a commit which reverts another one changed, among the last commits of the base. */
  readonly reverted: readonly string[];
}

/** The result of merging the base into a branch on the server. */
export type Updated =
  /** The branch's head there is this commit now: a clean merge of the base. */
  | { readonly kind: "updated"; readonly commit: string }
  /** The branch already contained the base. */
  | { readonly kind: "current" }
  /** `base` = the commit of the base branch. */
  | { readonly kind: "conflict"; readonly base: string; readonly files: readonly string[] }
  /** The head is not the expected one; null when the branch is gone. */
  | { readonly kind: "moved"; readonly head: string | null }
  /** `mayPush` forbade the push. */
  | { readonly kind: "held" };

/** The base branch merged into an agent's worktree: it becomes the second parent of the next commit. */
export interface BroughtIn {
  /** The commit of the base branch. */
  readonly base: string;
  /** Files that contain conflict markers. */
  readonly conflicts: readonly string[];
}

/** What git does to combine work and its base branch. Every method throws `GitError`. */
export interface Integration {
  /** Contacts the server once for all of them. Code `base_not_found`. */
  compareBranches(
    repository: RepositoryRef,
    base: string,
    candidates: readonly Candidate[],
  ): Promise<readonly BranchComparison[]>;
  /**
   * Reads what `head` changes since it left `base`, both commits in the mirror; contacts no server. Null for commits
   * without a common ancestor, and for more than 3,000 files.
   */
  changeOf(
    repository: RepositoryRef,
    commits: { readonly base: string; readonly head: string },
  ): Promise<Change | null>;
  /**
   * Merges the base into the branch in the mirror and pushes the result, never forced, if the branch's head is
   * `expected`. A second call after a successful one returns `updated` again.
   */
  updateBranch(
    repository: RepositoryRef,
    options: {
      readonly branch: string;
      readonly base: string;
      readonly expected: string;
      readonly author: CommitOptions["author"];
      /** Called last, right before the branch is moved, when everything else is ready. */
      readonly mayPush?: () => Promise<boolean>;
      /** The server makes the merge again, and signs it. */
      readonly signing?: ServerSigning | undefined;
    },
  ): Promise<Updated>;
  /**
   * Merges the base branch into the agent's worktree without a commit, with conflict markers where both changed the
   * same lines; the agent's next commit is the merge. A merge that already waits stays with its remaining conflicts.
   * Null when the branch contains the base and no merge waits. Idempotent.
   */
  bringIn(ref: WorktreeRef, base: string): Promise<BroughtIn | null>;
  /**
   * Returns the commit that a pull request was merged onto, so that what differs between it and `merge` is the whole pull
   * request, whether by a merge, a squash or a rebase. Null where that cannot be verified. `head` = its last commit.
   */
  mergedOnto(
    repository: RepositoryRef,
    options: { readonly merge: string; readonly head: string; readonly pull: number },
  ): Promise<string | null>;
}
