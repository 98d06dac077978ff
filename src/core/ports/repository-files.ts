import type { RepositoryRef } from "../repository.ts";

/** What stands in a directory of a repository. */
export interface DirectoryEntry {
  readonly name: string;
  /** GitHub's word. A submodule reads as a file there, and has no text. */
  readonly type: "file" | "dir" | "symlink" | "submodule";
  /** Of its content: another content has another one. */
  readonly sha: string;
  readonly bytes: number;
}

/** Small files on the default branch. Every method throws `GitHubError`. */
export interface RepositoryFiles {
  /** Null where there is none, or what is there is no directory. A reading that GitHub knows to be unchanged costs next to nothing. */
  directory(repository: RepositoryRef, path: string): Promise<readonly DirectoryEntry[] | null>;
  /** A regular file, in UTF-8; null where there is none. */
  file(
    repository: RepositoryRef,
    path: string,
  ): Promise<{ readonly sha: string; readonly text: string } | null>;
}
