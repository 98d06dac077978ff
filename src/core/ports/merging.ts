import type { RepositoryRef } from "../repository.ts";
import type { GitHubPullRequest } from "./github.ts";

export type MergeMethod = "squash" | "merge" | "rebase";

/** A pull request with what GitHub thinks of merging it. */
export interface MergeablePull extends GitHubPullRequest {
  /** GitHub's word: `clean`, `unstable`, `has_hooks`, `blocked`, `behind`, `dirty`, `draft`, `unknown`. */
  readonly mergeState: string;
  /** Of a merged one. */
  readonly mergeCommit: string | null;
  /** Id of the account that merged it. */
  readonly mergedBy: number | null;
}

/** What a branch demands of a merge, apart from its required checks. */
export interface MergeDemands {
  /** The branch that is merged must contain the base. */
  readonly upToDate: boolean;
  /** Approving reviews on GitHub. */
  readonly approvals: number;
  /** Only GitHub's own queue merges. */
  readonly queue: boolean;
}

export type MergeAnswer =
  | { readonly kind: "merged"; readonly commit: string }
  /** The head is another than the expected one, or the base has just moved. */
  | { readonly kind: "moved"; readonly reason: string }
  /** It cannot be merged as things are: a rule of the branch, a conflict, a method that is not allowed. */
  | { readonly kind: "refused"; readonly reason: string };

/** What GitHub says and does about merges. Every method throws `GitHubError`. */
export interface Merging {
  mergeablePull(repository: RepositoryRef, number: number): Promise<MergeablePull>;
  /** What rulesets demand; nothing where the App may not read that. Old branch protection shows in `mergeState`. */
  mergeDemands(repository: RepositoryRef, branch: string): Promise<MergeDemands>;
  /** Merges where the head is still `head`. After an uncertain try look at the pull request first. */
  mergePull(
    repository: RepositoryRef,
    number: number,
    options: { readonly head: string; readonly method: MergeMethod },
  ): Promise<MergeAnswer>;
}
