import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { Worktrees } from "../../src/domain/ports/worktrees.ts";

/** An implementation with a server on which `repository` has one branch, `main`, holding FILES. */
export interface WorktreesHarness {
  readonly worktrees: Worktrees;
  readonly repository: RepositoryRef;
  /** What the agent does: writes, or for null deletes, a file of the worktree. */
  write(name: string, path: string, text: string | null): Promise<void>;
  read(name: string, path: string): Promise<string | null>;
  /** What a person does on the server; a missing branch begins at `main`. */
  serverCommit(branch: string, files: Record<string, string>): Promise<string>;
  serverHead(branch: string): Promise<string | null>;
  /** The directory is gone, as after a lost disk. */
  loseDirectory(name: string): Promise<void>;
  close(): Promise<void>;
}

export const FILES = { "README.md": "one\ntwo\n", "src/a.txt": "a\n", "src/b.txt": "b\n" };
export const AUTHOR = { name: "An agent", email: "agent@example.com" };
export const FRESH = { base: null, reusePushed: false };
