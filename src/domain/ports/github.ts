import type { Account } from "../events/account.ts";
import type { RepositoryRef } from "../kernel/repository.ts";
import type { Milestone } from "../planning/milestone.ts";
import type { Lagging } from "./github-app.ts";
import type {
  GitHubPullRequest,
  GitHubVerdicts,
  Merging,
  Proposing,
  RepositoryFiles,
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

/** The other end of a dependency, or a parent, in this repository or in another one. */
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

/** What somebody thinks of a comment: `+1`, `-1`, `eyes` and the like. */
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

/** What happened to an issue or pull request, as GitHub keeps it: `closed`, `merged`, `locked`, `unlabeled`, … */
export interface GitHubEvent {
  /** Unique on the server. */
  readonly id: number;
  readonly event: string;
  readonly actor: Account;
  /** ISO 8601, whole seconds. */
  readonly createdAt: string;
  /** Of a label that was put or removed. */
  readonly label: string | null;
  /** Of one who was assigned. */
  readonly assignee: Account | null;
  /** Of a merge. */
  readonly commit: string | null;
}

/** A review that was submitted. */
export interface GitHubReview extends Omit<GitHubComment, "createdAt"> {
  /** GitHub's word: `approved`, `changes_requested`, `commented`, `dismissed`. */
  readonly verdict: string;
  /** The commit that was reviewed; null where GitHub does not know it any more. */
  readonly commit: string | null;
  /** ISO 8601, whole seconds. */
  readonly submittedAt: string;
}

/** What a repository asks for that Flotilla does not do, as far as GitHub tells of its base branch. */
export interface RepositoryLimits {
  /** A ruleset lets in only commits with a signature. Classic branch protection does not show this to an App. */
  readonly signatures: boolean;
  /** Files are kept in Git LFS. */
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
  /** GitHub's word for it: `failure`, `timed_out`, `in_progress`. */
  readonly conclusion: string;
  /** What a red check run says of itself: the text of its output, else its summary. Absent where it says nothing. */
  readonly output?: string;
  /** When it came to its state, in ISO 8601 to the second. Absent where GitHub does not say, such as before it starts. */
  readonly changedAt?: string;
  /** A check run's id; `job` = it is a job of GitHub Actions, which has the same id. Absent for a status. */
  readonly run?: { readonly id: number; readonly job: boolean };
}

/** A failed job of GitHub Actions. */
export interface FailedJob {
  readonly name: string;
  /** The first step that failed; null when none has run. */
  readonly step: string | null;
  /** Its log; empty where there is none, or the App may not read it. */
  readonly log: string;
}

export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/**
 * GitHub as the engine needs it. Reads may be repeated; writes are tried once per call (the outbox repeats), and before
 * something new is made, its marker is looked for (see `Lagging`). Every method throws `GitHubError`.
 */
export interface GitHub extends Merging, GitHubVerdicts, Proposing, RepositoryFiles {
  /** The App's own identity: its bot account and slug. */
  identity(): Promise<{ slug: string; appId: number; botLogin: string; botId: number }>;
  repository(repository: RepositoryRef): Promise<GitHubRepository>;
  issue(repository: RepositoryRef, number: number): Promise<GitHubIssue>;
  /** Open issues with the label, no pull requests, the newest first; at most a hundred. */
  issuesWith(repository: RepositoryRef, label: string): Promise<readonly GitHubIssue[]>;
  /** So many of its issues (1 or more), open and closed, no pull requests, the newest first. */
  newestIssues(repository: RepositoryRef, count: number): Promise<readonly GitHubIssue[]>;
  comments(repository: RepositoryRef, number: number): Promise<readonly GitHubComment[]>;
  /** What happened to an issue or pull request, oldest first. */
  events(repository: RepositoryRef, number: number): Promise<readonly GitHubEvent[]>;
  pullRequest(repository: RepositoryRef, number: number): Promise<GitHubPullRequest>;
  /**
   * Returns all open pull requests, or with `head` (branch name in this repository) those of that branch in any state.
   */
  pullRequests(repository: RepositoryRef, filter: { head?: string }): Promise<readonly GitHubPullRequest[]>;
  /** Comments on lines of the pull request, oldest first. */
  reviewComments(repository: RepositoryRef, number: number): Promise<readonly GitHubReviewComment[]>;
  /** Paths that the pull request changes, as GitHub lists them: 3000 at most. */
  pullRequestFiles(repository: RepositoryRef, number: number): Promise<readonly string[]>;
  /** Writes the whole body again: read it just before. Idempotent. */
  setPullRequestBody(repository: RepositoryRef, number: number, body: string): Promise<void>;
  /** Submitted reviews of the pull request, oldest first. */
  reviews(repository: RepositoryRef, number: number): Promise<readonly GitHubReview[]>;
  /**
   * What somebody may do, at most a minute old. With an `id` only that account's: `none` when the login is another's by
   * now. Null where only the login is known.
   */
  permission(
    repository: RepositoryRef,
    who: {
      readonly login: string;
      readonly id: number | null;
      /** No answer from before this call counts. */
      readonly fresh?: boolean;
    },
  ): Promise<Permission>;
  /** Returns the latest check runs and statuses of a commit, or of a branch's head. */
  checks(repository: RepositoryRef, ref: string): Promise<readonly CommitCheck[]>;
  /** Returns a job of GitHub Actions that failed; null where it is gone or the App may not look. */
  failedJob(repository: RepositoryRef, job: number): Promise<FailedJob | null>;
  /** Returns true while GitHub holds workflow runs of the commit until a person approves them. */
  awaitsApproval(repository: RepositoryRef, commit: string): Promise<boolean>;
  /** Names that GitHub itself requires on the branch; none where the App may not read that. */
  requiredChecks(repository: RepositoryRef, branch: string): Promise<readonly string[]>;
  /** What the repository asks for that we do not do; nothing where the App may not read it. */
  repositoryLimits(repository: RepositoryRef, branch: string): Promise<RepositoryLimits>;
  /** What the issue is blocked by in GitHub's own dependencies, open or closed; code `unsupported` when the server has no such API. */
  blockedBy(repository: RepositoryRef, number: number): Promise<readonly RelatedIssue[]>;
  /** Returns the issue of which it is a sub-issue, null for none and where the server has no such API. */
  parentOf(repository: RepositoryRef, number: number): Promise<RelatedIssue | null>;
  /** Its sub-issues, of other repositories too; none where the server has no such API. */
  subIssues(repository: RepositoryRef, number: number): Promise<readonly RelatedIssue[]>;
  /** Makes `part` a sub-issue of `number`; code `unsupported` when the server has no such API. Idempotent. */
  addSubIssue(repository: RepositoryRef, number: number, part: number): Promise<void>;
  /**
   * One comment per `key` on the issue or pull request: edits ours that carries the key's marker, else creates it.
   * `knownId` saves the look-up; `forPerson` may take what is kept back of the limits. Returns the comment's id.
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
  /** Adds labels that exist, or creates them with our colour and description first. Idempotent. */
  addLabels(repository: RepositoryRef, number: number, labels: readonly string[]): Promise<void>;
  /** Removes a label; one that is not there is fine. */
  removeLabel(repository: RepositoryRef, number: number, label: string): Promise<void>;
  /**
   * Idempotent by GitHub's own rule: one reaction of a kind per account. `place` = whose comment it is: an issue's or
   * pull request's own, or one at a line of a pull request, which GitHub numbers apart.
   */
  react(
    repository: RepositoryRef,
    commentId: number,
    reaction: "+1" | "-1" | "eyes" | "confused",
    place?: "issue" | "review",
  ): Promise<void>;
  /** To an issue's or pull request's own comment, oldest first. */
  reactions(repository: RepositoryRef, commentId: number): Promise<readonly GitHubReaction[]>;
  /** Opens a pull request, or adopts the open one of the same head and base. The marker of `key` goes into the body. */
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
   * Runs a failed job of GitHub Actions again, and those that depend on it. Only such jobs: GitHub lets an App re-request
   * none but its own check runs. Code `forbidden` where it may not, or the run is under way or too old.
   */
  rerunJob(repository: RepositoryRef, job: number): Promise<void>;
  /** Returns a token for git over HTTP, for this repository and contents only, good for at least ten minutes. */
  gitToken(repository: RepositoryRef): Promise<string>;
}
