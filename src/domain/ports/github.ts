import type { Account } from "../events/account.ts";
import type { RepositoryRef } from "../kernel/repository.ts";
import type { PictureFault } from "../pictures/picture.ts";
import type { PicturePlace } from "../pictures/picture-links.ts";
import type { Milestone } from "../planning/milestone.ts";
import type { Lagging } from "./github-app.ts";
import type {
  GitHubPullRequest,
  GitHubVerdicts,
  Merging,
  Proposing,
  RepositoryFiles,
  Signing,
} from "./github-changes.ts";
export interface GitHubIssue {
  /** GitHub's database id, needed by the dependencies API. */
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly stateReason: string | null;
  readonly labels: readonly string[];
  readonly assignees: readonly Account[];
  readonly author: Account;
  /** Only people with write permission may comment. */
  readonly locked: boolean;
  readonly isPullRequest: boolean;
  readonly milestone: Milestone | null;
  readonly url: string;
}

/** The other end of a dependency, or a parent, in any repository. */
export interface RelatedIssue {
  /** Full name of its repository. */
  readonly repository: string;
  readonly number: number;
  readonly state: "open" | "closed";
}

export interface GitHubComment {
  readonly id: number;
  readonly body: string;
  readonly author: Account;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly url: string;
}

/** A reaction to a comment: `+1`, `-1`, `eyes` and the like. */
export interface GitHubReaction {
  readonly content: string;
  readonly user: Account;
}

/** A comment on a line of a pull request's diff. */
export interface GitHubReviewComment extends GitHubComment {
  readonly path: string;
  /** Line of the file as the pull request has it, or had it; null for a comment on the whole file. */
  readonly line: number | null;
}

/** An event of an issue or pull request, as GitHub stores it: `closed`, `merged`, `locked`, `unlabeled`, … */
export interface GitHubEvent {
  /** Unique on the server. */
  readonly id: number;
  readonly event: string;
  readonly actor: Account;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  /** The label that was set or removed. */
  readonly label: string | null;
  /** The account that was assigned. */
  readonly assignee: Account | null;
  /** The commit of a merge. */
  readonly commit: string | null;
}

/** A review that was submitted. */
export interface GitHubReview extends Omit<GitHubComment, "createdAt"> {
  /** GitHub's state: `approved`, `changes_requested`, `commented`, `dismissed`. */
  readonly verdict: string;
  /** The reviewed commit; null where GitHub no longer knows it. */
  readonly commit: string | null;
  /** ISO 8601, whole seconds. */
  readonly submittedAt: string;
}

/** Demands of a repository that work there must heed, as far as GitHub shows them for its base branch. */
export interface RepositoryLimits {
  /** A ruleset accepts only signed commits. Classic branch protection does not show this to an App. */
  readonly signatures: boolean;
  /** Files are stored in Git LFS. */
  readonly lfs: boolean;
  readonly submodules: boolean;
}

export interface GitHubRepository {
  readonly id: number;
  readonly fullName: string;
  readonly defaultBranch: string;
  readonly private: boolean;
  readonly archived: boolean;
}

/** A check run or a commit status of one commit. */
export interface CommitCheck {
  readonly name: string;
  readonly state: "pending" | "green" | "red";
  /** GitHub's conclusion or state: `failure`, `timed_out`, `in_progress`. */
  readonly conclusion: string;
  /** A red check run's own report: the text of its output, else its summary. Absent where there is none. */
  readonly output?: string;
  /**
   * When the check entered its state, in ISO 8601 to the second. Absent where GitHub does not say, such as before it
   * starts.
   */
  readonly changedAt?: string;
  /** A check run's id; `job` = it is a job of GitHub Actions, which has the same id. Absent for a status. */
  readonly run?: { readonly id: number; readonly job: boolean };
}

/** A failed job of GitHub Actions. */
export interface FailedJob {
  readonly name: string;
  /** The first step that failed; null when none has run. */
  readonly step: string | null;
  /** The job's log; empty where there is none, or the App may not read it. */
  readonly log: string;
}

export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/**
 * GitHub as the engine needs it. Reads may be repeated; a write is tried once per call (the outbox retries), and the
 * marker of a new object is searched for first (see `Lagging`). Every method throws `GitHubError`.
 */
export interface GitHub extends Merging, GitHubVerdicts, Proposing, RepositoryFiles, Signing {
  /** Returns the App's own identity: its bot account and slug. */
  identity(): Promise<{ slug: string; appId: number; botLogin: string; botId: number }>;
  repository(repository: RepositoryRef): Promise<GitHubRepository>;
  issue(repository: RepositoryRef, number: number): Promise<GitHubIssue>;
  /** Returns open issues with the label, without pull requests, newest first; at most a hundred. */
  issuesWith(repository: RepositoryRef, label: string): Promise<readonly GitHubIssue[]>;
  /** Returns the newest issues, at most `count` (1 or more), open and closed, without pull requests. */
  newestIssues(repository: RepositoryRef, count: number): Promise<readonly GitHubIssue[]>;
  /**
   * Returns what GitHub's search finds for the query in this repository alone, best match first: issues and pull
   * requests, open and closed, at most `count` (1 to 100). The query must not name a repository: see `searchQuery`.
   */
  searchIssues(repository: RepositoryRef, query: string, count: number): Promise<readonly GitHubIssue[]>;
  /** Returns the names of the repository's labels, in its own spelling. */
  labels(repository: RepositoryRef): Promise<readonly string[]>;
  comments(repository: RepositoryRef, number: number): Promise<readonly GitHubComment[]>;
  /**
   * Returns an attachment of GitHub's, as it was uploaded, that the text of an issue or comment shows; or why there is
   * none. It is read without our token.
   */
  picture(
    repository: RepositoryRef,
    picture: { readonly place: PicturePlace; readonly asset: string },
  ): Promise<{ readonly bytes: Uint8Array } | PictureFault>;
  /** Returns the events of an issue or pull request, oldest first. */
  events(repository: RepositoryRef, number: number): Promise<readonly GitHubEvent[]>;
  pullRequest(repository: RepositoryRef, number: number): Promise<GitHubPullRequest>;
  /**
   * Returns all open pull requests, or with `head` (branch name in this repository) those of that branch in any state.
   */
  pullRequests(repository: RepositoryRef, filter: { head?: string }): Promise<readonly GitHubPullRequest[]>;
  /** Returns comments on lines of the pull request, oldest first. */
  reviewComments(repository: RepositoryRef, number: number): Promise<readonly GitHubReviewComment[]>;
  /** Returns paths that the pull request changes, as GitHub lists them: 3000 at most. */
  pullRequestFiles(repository: RepositoryRef, number: number): Promise<readonly string[]>;
  /** Replaces the whole body: read it just before. Idempotent. */
  setPullRequestBody(repository: RepositoryRef, number: number, body: string): Promise<void>;
  /** Returns submitted reviews of the pull request, oldest first. */
  reviews(repository: RepositoryRef, number: number): Promise<readonly GitHubReview[]>;
  /**
   * Returns an account's permission, at most a minute old. With an `id` only that account's: `none` when the login
   * belongs to another one by now. Null where only the login is known.
   */
  permission(
    repository: RepositoryRef,
    who: {
      readonly login: string;
      readonly id: number | null;
      /** Ignores cached answers. */
      readonly fresh?: boolean;
    },
  ): Promise<Permission>;
  /** Returns the latest check runs and statuses of a commit, or of a branch's head. */
  checks(repository: RepositoryRef, ref: string): Promise<readonly CommitCheck[]>;
  /** Returns a failed job of GitHub Actions; null where it is gone or the App may not read it. */
  failedJob(repository: RepositoryRef, job: number): Promise<FailedJob | null>;
  /** Returns true while GitHub holds workflow runs of the commit until a person approves them. */
  awaitsApproval(repository: RepositoryRef, commit: string): Promise<boolean>;
  /** Returns the names that GitHub itself requires on the branch; none where the App may not read that. */
  requiredChecks(repository: RepositoryRef, branch: string): Promise<readonly string[]>;
  hasBranch(repository: RepositoryRef, branch: string): Promise<boolean>;
  /** Returns the demands that Flotilla does not meet; none where the App may not read them. */
  repositoryLimits(repository: RepositoryRef, branch: string): Promise<RepositoryLimits>;
  /**
   * Returns the issue's blockers in GitHub's own dependencies, open or closed; code `unsupported` when the server has
   * no such API.
   */
  blockedBy(repository: RepositoryRef, number: number): Promise<readonly RelatedIssue[]>;
  /** Returns the parent issue; null for none and where the server has no such API. */
  parentOf(repository: RepositoryRef, number: number): Promise<RelatedIssue | null>;
  /** Returns the sub-issues, of any repository; none where the server has no such API. */
  subIssues(repository: RepositoryRef, number: number): Promise<readonly RelatedIssue[]>;
  /** Makes `part` a sub-issue of `number`; code `unsupported` when the server has no such API. Idempotent. */
  addSubIssue(repository: RepositoryRef, number: number, part: number): Promise<void>;
  /**
   * Keeps one comment per `key` on the issue or pull request: edits ours that carries the key's marker, else creates
   * it. `knownId` saves the look-up; `forPerson` may use the reserved part of the limits. Returns the comment's id.
   */
  putComment(
    repository: RepositoryRef,
    number: number,
    comment: Lagging & { key: string; body: string; knownId: number | undefined; forPerson?: boolean },
  ): Promise<{ id: number; url: string }>;
  /** Opens an issue, or adopts ours that carries the key's marker, open or closed. */
  createIssue(
    repository: RepositoryRef,
    issue: Lagging & { key: string; title: string; body: string; milestone?: number | undefined },
  ): Promise<GitHubIssue>;
  /** Closes an issue as completed. Idempotent. */
  closeIssue(repository: RepositoryRef, number: number): Promise<void>;
  /** Adds labels; missing ones are created first, with our colour and description. Idempotent. */
  addLabels(repository: RepositoryRef, number: number, labels: readonly string[]): Promise<void>;
  /**
   * Adds those of the labels that the repository has when it is called, ignoring case, and returns them in its own spelling. The
   * others are left out: GitHub would create them. Idempotent.
   */
  addExistingLabels(
    repository: RepositoryRef,
    number: number,
    labels: readonly string[],
  ): Promise<readonly string[]>;
  /** Removes a label; harmless when it is not there. */
  removeLabel(repository: RepositoryRef, number: number, label: string): Promise<void>;
  /**
   * Adds a reaction. Idempotent by GitHub's own rule: one reaction of a kind per account. `place` = `issue` for a
   * comment of an issue or pull request itself, `review` for one at a line, which GitHub numbers separately.
   */
  react(
    repository: RepositoryRef,
    commentId: number,
    reaction: "+1" | "-1" | "eyes" | "confused",
    place?: "issue" | "review",
  ): Promise<void>;
  /** Returns the reactions to a comment of an issue or pull request itself, oldest first. */
  reactions(repository: RepositoryRef, commentId: number): Promise<readonly GitHubReaction[]>;
  /**
   * Opens a pull request, or adopts the open one with the same head and base. The marker of `key` goes into the body.
   */
  openPullRequest(
    repository: RepositoryRef,
    pull: Lagging & { key: string; title: string; body: string; head: string; base: string; draft: boolean },
  ): Promise<GitHubPullRequest>;
  /**
   * Records in GitHub's own dependencies that `number` is blocked by `blocker`, an issue of `where`; code `unsupported`
   * when the server has no such API. Idempotent.
   */
  addBlockedBy(
    repository: RepositoryRef,
    number: number,
    blocker: number,
    where?: RepositoryRef,
  ): Promise<void>;
  /**
   * Runs a failed job of GitHub Actions again, and those that depend on it. Only such jobs: GitHub lets an App
   * re-request only its own check runs. Code `forbidden` where it may not, or the run is in progress or too old.
   */
  rerunJob(repository: RepositoryRef, job: number): Promise<void>;
  /** Returns a token for git over HTTP, for this repository and contents only, valid for at least ten minutes. */
  gitToken(repository: RepositoryRef): Promise<string>;
}
