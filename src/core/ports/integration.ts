import type { RepositoryRef } from "../repository.ts";
import type { CommitOptions, WorktreeRef } from "./worktrees.ts";

/** A branch that is to be merged, and the commit of it that was approved. */
export interface Candidate {
  readonly branch: string;
  readonly approved: string;
}

/** How a branch stands to its base, both as the server has them now. */
export interface Standing {
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
  /** Files at which a merge would meet a conflict. */
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
  | { readonly kind: "moved"; readonly head: string | null };

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
  ): Promise<readonly Standing[]>;
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
    },
  ): Promise<Updated>;
  /**
   * Merges the base branch into the agent's worktree and leaves that uncommitted, with conflict markers where both changed
   * the same lines; the agent's next commit is the merge. Null when the branch contains the base and no merge waits.
   * Where one waits already it stays as it is, with what is left of its conflicts. Idempotent.
   */
  bringIn(ref: WorktreeRef, base: string): Promise<BroughtIn | null>;
}
