import type { Worktrees } from "../../src/domain/ports/worktrees.ts";
import type { FakeIntegration } from "./fake-integration.ts";

/** Worktrees and a server in memory. Names must be unique across all repositories. */
export interface FakeWorktrees extends Worktrees, Pick<FakeIntegration, "serverSquash" | "revertedLately"> {
  /** Writes a file in the agent's directory, as an agent would; null deletes it. */
  write(name: string, path: string, content: string | null): void;
  read(name: string, path: string): string | null;
  /** The existing checkouts, as `name commit`. */
  readonly checkouts: ReadonlyMap<string, string>;
  /** Moves a branch on the server to any commit, or deletes it, as a person would. */
  serverMove(branch: string, commit: string | null): void;
  /** Commits to a branch on the server, as a person would. */
  serverCommit(branch: string, files: Readonly<Record<string, string>>): string;
  serverHead(branch: string): string | null;
  loseDirectory(name: string): void;
  /** Everything on this machine is gone; the server's branches and checkpoints remain. */
  loseMirror(): void;
  /** Pushes of checkpoints fail with this error; null ends that. */
  refuseCheckpoints(error: Error | null): void;
  /** Each saved checkpoint, and whether it was to be pushed. */
  readonly checkpointed: readonly { readonly name: string; readonly pushed: boolean }[];
  /** Returns a file in the agent's archive. */
  archived(name: string, path: string): string | null;
}
