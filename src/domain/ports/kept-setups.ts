/** What was made at a commit by setup commands. */
export interface MadeSetup {
  /** Hex; equal for what may take the place of each other. */
  readonly key: string;
  /** Paths below the top of the worktree, in a fixed order. */
  readonly directories: readonly string[];
}

/** Where and when the directories were made that were restored. */
export interface KeptSetup {
  readonly commit: string;
  readonly at: number;
}

/**
 * Copies of what setup commands made in one worktree, for other worktrees of the repository on this machine. `Ref`
 * identifies a worktree.
 */
export interface KeptSetups<Ref> {
  /**
   * Copies the directories of the worktree, which no agent may have changed; its commands must have ended. Returns why they
   * were not kept: the rest of a sentence; null if they are kept. `room` = bytes that may be used.
   */
  keepSetup(ref: Ref, made: MadeSetup & KeptSetup & { readonly room: number }): Promise<string | null>;
  /**
   * Copies kept directories into the worktree or its clean checkout, all of them or none. Returns null if nothing is kept
   * with the key, or one of the directories exists there or cannot be made.
   */
  restoreSetup(
    ref: Ref,
    wanted: MadeSetup & { readonly into: "worktree" | "checkout"; readonly at: number },
  ): Promise<KeptSetup | null>;
  /** Deletes what is kept of a repository; of all for null. Worktrees stay as they are. */
  dropSetups(repositoryId: number | null): Promise<void>;
}
