import type { Account } from "../events/account.ts";
import type { RepositoryRef } from "../kernel/repository.ts";
import type { Lagging } from "./github-app.ts";

/** A review as our App writes it. */
export interface WrittenReview {
  /** Unique: the same one is never written twice. */
  readonly key: string;
  /** The App may not approve, or request changes on, its own pull request: then it comments. */
  readonly event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  readonly commit: string;
  readonly body: string;
  /** At lines that the diff shows. */
  readonly comments: readonly { readonly path: string; readonly line: number; readonly body: string }[];
  /** The body where GitHub does not take the comments at their lines. */
  readonly bodyWithComments: string;
}

/** A check run of our App on a commit; null as conclusion while it is open. */
export interface WrittenCheck {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: "success" | "failure" | "neutral" | null;
  readonly title: string;
  readonly summary: string;
  /** False: only one that is there already is changed. */
  readonly create: boolean;
}

/** How verdicts are shown. Every method throws `GitHubError`. */
export interface GitHubVerdicts {
  /** Writes the review, or finds ours that carries the key's marker. */
  writeReview(
    repository: RepositoryRef,
    pull: number,
    review: WrittenReview & Lagging,
  ): Promise<{ id: number; url: string }>;
  /** One check run of our App per name and commit: changes it, or makes it. Null where there is none and none is made. */
  putCheck(repository: RepositoryRef, check: WrittenCheck & Lagging): Promise<{ id: number } | null>;
}

type MergeMethod = "squash" | "merge" | "rebase";

export interface GitHubPullRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  readonly draft: boolean;
  readonly author: Account;
  readonly headRef: string;
  readonly headSha: string;
  /** Full name of the head's repository, null when it was deleted. */
  readonly headRepository: string | null;
  readonly baseRef: string;
  readonly url: string;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  /** Logins of the requested reviewers and the assignees. */
  readonly asked: readonly string[];
  /** Lines added and deleted; absent in lists. */
  readonly changedLines?: number;
}

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
  /** Gets the token that a merge needs, so that nothing else is asked before `mergePull` leaves. */
  readyToMerge(repository: RepositoryRef): Promise<void>;
  /** Merges where the head is still `head`. After an uncertain try look at the pull request first. */
  mergePull(
    repository: RepositoryRef,
    number: number,
    options: { readonly head: string; readonly method: MergeMethod },
  ): Promise<MergeAnswer>;
}

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
  /** Returns a regular file, in UTF-8; null where there is none. */
  file(
    repository: RepositoryRef,
    path: string,
  ): Promise<{ readonly sha: string; readonly text: string } | null>;
}
