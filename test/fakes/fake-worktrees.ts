import type { Worktrees } from "../../src/domain/ports/worktrees.ts";
import type { FakeIntegration } from "./fake-integration.ts";

/** Worktrees in memory, beside a server in memory. Names are taken to be unique over all repositories. */
export interface FakeWorktrees extends Worktrees, Pick<FakeIntegration, "serverSquash"> {
  /** What an agent does in its directory; null deletes. */
  write(name: string, path: string, content: string | null): void;
  read(name: string, path: string): string | null;
  /** The checkouts that stand, as `name commit`. */
  readonly checkouts: ReadonlyMap<string, string>;
  /** What a person does on the server: moves a branch to any commit, or deletes it. */
  serverMove(branch: string, commit: string | null): void;
  /** What a person does on the server. */
  serverCommit(branch: string, files: Readonly<Record<string, string>>): string;
  serverHead(branch: string): string | null;
  loseDirectory(name: string): void;
  /** Each checkpoint that was saved, and whether it was to leave the host. */
  readonly checkpointed: readonly { readonly name: string; readonly pushed: boolean }[];
  /** A file in the agent's archive. */
  archived(name: string, path: string): string | null;
}
