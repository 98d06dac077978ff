import type { RepositoryRef } from "../repository.ts";

/** One new file for a repository, on a branch of its own. Every method throws `GitHubError`. */
export interface Proposing {
  /** The texts of those of the paths that are plain files on the default branch, by path. Larger ones than 64 KiB are not read. */
  filesOf(repository: RepositoryRef, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Makes the branch with one commit of ours on top of `base`, which adds the file; the branch is made at once with that
   * commit or not at all. One that holds nothing but that already is left as it is; with anything else on it, `conflict`.
   */
  addFileOnBranch(
    repository: RepositoryRef,
    file: {
      readonly branch: string;
      /** Name of the branch that it begins from. */
      readonly base: string;
      readonly path: string;
      readonly content: string;
      readonly message: string;
    },
  ): Promise<{ readonly commit: string }>;
}
