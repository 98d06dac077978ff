import type { Account } from "../events/account.ts";
import type { RepositoryRef } from "../kernel/repository.ts";
import type { Lagging } from "./github-app.ts";

/** A review as our App writes it. */
export interface WrittenReview {
  /** Unique: the same review is never written twice. */
  readonly key: string;
  /** The App may not approve its own pull request, or request changes on it: there it comments. */
  readonly event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  readonly commit: string;
  readonly body: string;
  /** Comments at lines that the diff shows. */
  readonly comments: readonly { readonly path: string; readonly line: number; readonly body: string }[];
  /** The body where GitHub refuses the comments at their lines. */
  readonly bodyWithComments: string;
}

/** A check run of our App on a commit; its conclusion is null while it is open. */
export interface WrittenCheck {
  readonly name: string;
  readonly commit: string;
  readonly conclusion: "success" | "failure" | "neutral" | null;
  readonly title: string;
  readonly summary: string;
  /** Where GitHub's "Details" leads; null for GitHub's own page. */
  readonly detailsUrl: string | null;
  /** False: only an existing one is changed. */
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
  /**
   * Changes or creates the one check run of our App per name and commit. Null where there is none and none is created.
   */
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

/** A pull request with GitHub's view of merging it. */
export interface MergeablePull extends GitHubPullRequest {
  /** GitHub's state: `clean`, `unstable`, `has_hooks`, `blocked`, `behind`, `dirty`, `draft`, `unknown`. */
  readonly mergeState: string;
  /** Of a merged pull request. */
  readonly mergeCommit: string | null;
  /** Id of the account that merged it. */
  readonly mergedBy: number | null;
}

/** What a branch demands of a merge, apart from its required checks. */
export interface MergeDemands {
  /** The merged branch must contain the base. */
  readonly upToDate: boolean;
  /** Number of approving reviews on GitHub. */
  readonly approvals: number;
  /** Only GitHub's own queue merges. */
  readonly queue: boolean;
}

export type MergeAnswer =
  | { readonly kind: "merged"; readonly commit: string }
  /** The head is not the expected one, or the base has just moved. */
  | { readonly kind: "moved"; readonly reason: string }
  /** The merge is refused in the present state: a rule of the branch, a conflict, a method that is not allowed. */
  | { readonly kind: "refused"; readonly reason: string };

/** A pull request and GitHub's own merge queue of its base branch. */
export interface QueuedPull {
  readonly isIn: boolean;
  /** The last time that it left the queue, also by being merged; null for never. */
  readonly left: {
    /** Milliseconds since the epoch. */
    readonly at: number;
    /** GitHub's word, such as `failed_checks`, `merge_conflict`, `manual` or `merged`; empty where it gives none. */
    readonly reason: string;
    /** The login of the account that took it out, or in whose name GitHub did; null where it is not known. */
    readonly by: string | null;
    /** The commit that the queue had made of it and what was before it, whose checks decided. */
    readonly commit: string | null;
  } | null;
}

export type QueueAnswer =
  | { readonly kind: "queued" }
  /** GitHub does not take it now: another head, a rule of the branch, no such queue. */
  | { readonly kind: "refused"; readonly reason: string };

/** Reading and merging of pull requests. Every method throws `GitHubError`. */
export interface Merging {
  mergeablePull(repository: RepositoryRef, number: number): Promise<MergeablePull>;
  /**
   * Returns what rulesets demand; nothing where the App may not read that. Old branch protection shows in `mergeState`.
   */
  mergeDemands(repository: RepositoryRef, branch: string): Promise<MergeDemands>;
  /** Gets the token for a merge, so that `mergePull` sends no other request first. */
  readyToMerge(repository: RepositoryRef): Promise<void>;
  /** Merges if the head is still `head`. After an uncertain try check the pull request first. */
  mergePull(
    repository: RepositoryRef,
    number: number,
    options: { readonly head: string; readonly method: MergeMethod },
  ): Promise<MergeAnswer>;
  queuedPull(repository: RepositoryRef, number: number): Promise<QueuedPull>;
  /** Adds the pull request to the queue if its head is still `head`; `queued` also where it is in already. */
  enqueuePull(
    repository: RepositoryRef,
    number: number,
    options: { readonly head: string },
  ): Promise<QueueAnswer>;
  /** Takes the pull request out of the queue; nothing where it is not in. */
  dequeuePull(repository: RepositoryRef, number: number): Promise<void>;
}

/** Adds or changes one file of a repository, on a branch of its own. Every method throws `GitHubError`. */
export interface Proposing {
  /**
   * Returns the texts of those paths that are regular files on the default branch, by path. Files above 64 KiB are not
   * read.
   */
  filesOf(repository: RepositoryRef, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Creates the branch, in one step, with one commit of ours on top of `base` that adds the file, or changes it where
   * `replaces` is given. A branch with exactly that content stays as it is; with any other, `conflict`.
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
      /** The blob that the content was made from. Where `base` has another one by now, throws to be tried again. */
      readonly replaces?: string;
    },
  ): Promise<{ readonly commit: string }>;
}

/** A commit for GitHub to make. The server must have its tree and its parents. */
export interface CommitToSign {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Commits that GitHub makes and signs, in the App's name. Every method throws `GitHubError`. */
export interface Signing {
  /**
   * Returns whether a ruleset of one of the branches, which need not exist, takes only signed commits. False where the App
   * may not read that; classic branch protection does not show it to an App.
   */
  takesOnlySigned(repository: RepositoryRef, branches: readonly string[]): Promise<boolean>;
  /** Makes a commit that no branch leads to, and returns it. Throws `not_signed` where GitHub did not sign it. */
  makeSignedCommit(repository: RepositoryRef, commit: CommitToSign): Promise<string>;
  /**
   * Points a branch to a commit that the server has, and creates the branch where it is missing. Returns false where that
   * would lose commits of the branch.
   */
  moveBranch(repository: RepositoryRef, branch: string, commit: string): Promise<boolean>;
}

/** An entry in a directory of a repository. */
export interface DirectoryEntry {
  readonly name: string;
  /** GitHub's type. A submodule appears as a file there, and has no text. */
  readonly type: "file" | "dir" | "symlink" | "submodule";
  /** The hash of its content. */
  readonly sha: string;
  readonly bytes: number;
}

/** Small files on the default branch. Every method throws `GitHubError`. */
export interface RepositoryFiles {
  /**
   * Null for a missing path, or one that is no directory. A repeated read of an unchanged directory does not count
   * against GitHub's limits.
   */
  directory(repository: RepositoryRef, path: string): Promise<readonly DirectoryEntry[] | null>;
  /** Returns a regular file, in UTF-8; null where there is none. */
  file(
    repository: RepositoryRef,
    path: string,
  ): Promise<{ readonly sha: string; readonly text: string } | null>;
}
