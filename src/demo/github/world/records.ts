/** The local GitHub's records. They are mutable and live only in memory; git data lives on disk. */

export type Role = "admin" | "maintain" | "write" | "triage" | "read" | "none";
export type ReactionContent = "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
  readonly name: string;
  readonly email: string;
  readonly createdAt: string;
}

export interface Label {
  readonly id: number;
  name: string;
  color: string;
  description: string | null;
}

export interface Milestone {
  readonly id: number;
  readonly number: number;
  title: string;
  description: string | null;
  state: "open" | "closed";
  readonly creator: Account;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  dueOn: string | null;
}

export interface Reaction {
  readonly id: number;
  readonly content: ReactionContent;
  readonly user: Account;
  readonly createdAt: string;
}

/** A text as it was from that time on. */
export interface TextVersion {
  readonly at: string;
  readonly text: string;
}

export interface Comment {
  readonly id: number;
  readonly issueNumber: number;
  body: string;
  readonly author: Account;
  readonly viaApp: boolean;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
  /** Oldest first, beginning with the first; empty where it was never edited. */
  readonly versions: TextVersion[];
}

/** A file that a person dropped into a text. */
export interface Attachment {
  readonly id: number;
  /** Its name at the end of its address. */
  readonly asset: string;
  readonly owner: Account;
  /** Such as image/png. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** An entry of the list of events of an issue or pull request. */
export interface IssueEvent {
  readonly id: number;
  readonly event: string;
  readonly actor: Account;
  readonly createdAt: string;
  /** The fields that the event adds: its label or its assignee, as rendered at that time. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly commitId: string | null;
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  readonly author: Account;
  readonly viaApp: boolean;
  state: "open" | "closed";
  stateReason: "completed" | "reopened" | "not_planned" | "duplicate" | null;
  labels: Label[];
  assignees: Account[];
  milestone: Milestone | null;
  locked: boolean;
  lockReason: "off-topic" | "too heated" | "resolved" | "spam" | null;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: Account | null;
  /** The pull request that closed it by being merged. */
  closedByPull: number | null;
  readonly reactions: Reaction[];
  /** Of its body; see `Comment`. */
  readonly versions: TextVersion[];
  /** Oldest first. */
  readonly events: IssueEvent[];
  /** Issues, also of other repositories, that must be closed first. */
  readonly blockedBy: Issue[];
  readonly subIssues: Issue[];
  parent: Issue | null;
  /** Set if the issue is a pull request. */
  pull: Pull | null;
}

/** A person's fork of a repository, of the same name. Its commits are in the directory of the repository, as on GitHub. */
export interface Fork {
  readonly id: number;
  readonly owner: Account;
}

export interface Pull {
  readonly id: number;
  /** The fork that its branch is in; null for the repository itself. */
  readonly fork: Fork | null;
  headRef: string;
  headSha: string;
  baseRef: string;
  /** Tip of the base branch when the head last moved. */
  baseSha: string;
  /** Where the head branched off the base; the diff is against this commit. */
  mergeBaseSha: string;
  stats: { commits: number; additions: number; deletions: number; changedFiles: number };
  draft: boolean;
  mergedAt: string | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  requestedReviewers: Account[];
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
  /** The last time that it left the merge queue. */
  leftQueue: {
    readonly at: string;
    readonly reason: string;
    readonly actor: Account;
    /** The commit that the queue had made. */
    readonly commit: string;
  } | null;
}

/** A pull request in the merge queue of the default branch. */
export interface QueueEntry {
  readonly id: number;
  readonly number: number;
  /** The pull request on top of the branch and of what is before it: its checks decide. */
  readonly commit: string;
  readonly enqueuer: Account;
  readonly at: string;
}

/** A pull request: an issue whose `pull` is set. */
export type PullRequest = Issue & { pull: Pull };

export interface Review {
  readonly id: number;
  readonly author: Account;
  readonly body: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
  readonly commitId: string;
  readonly submittedAt: string;
}

export interface ReviewComment {
  readonly id: number;
  readonly reviewId: number;
  readonly author: Account;
  readonly body: string;
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly commitId: string;
  readonly diffHunk: string;
  readonly createdAt: string;
  readonly inReplyTo: number | null;
  readonly reactions: Reaction[];
}

export interface CheckSuite {
  readonly id: number;
  readonly headSha: string;
  readonly createdAt: string;
  updatedAt: string;
}

/** The additional fields of a check run that is a job of GitHub Actions. */
export interface ActionsJob {
  readonly steps: readonly { readonly name: string; readonly conclusion: string }[];
  readonly log: string;
  /** True if the job was run again: the new run is the latest. */
  superseded: boolean;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  readonly headSha: string;
  name: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  externalId: string;
  detailsUrl: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  /** Null for a check run of an App. */
  readonly job: ActionsJob | null;
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: string;
}

/** What a ruleset demands of a merge into the default branch. */
export interface BranchRules {
  /** Names of checks that must succeed. */
  readonly checks: readonly string[];
  /** True if the head must contain the base. */
  readonly upToDate: boolean;
  /** Number of approving reviews. */
  readonly approvals: number;
  /** Where only signed commits may be: on the default branch, or on every branch; null for nowhere. */
  readonly signatures: "default" | "every" | null;
  /** True if only the merge queue merges. */
  readonly mergeQueue: boolean;
}

export interface Repository {
  readonly id: number;
  readonly owner: Account;
  name: string;
  /** True if the repository is read-only. */
  archived: boolean;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly createdAt: string;
  pushedAt: string;
  /** Path of the bare repository. */
  readonly directory: string;
  readonly roles: Map<string, Role>;
  readonly labels: Label[];
  readonly milestones: Milestone[];
  readonly issues: Map<number, Issue>;
  readonly comments: Map<number, Comment>;
  readonly checkRuns: CheckRun[];
  /** The ruleset of the default branch. */
  rules: BranchRules;
  readonly queue: QueueEntry[];
  /** Commits whose workflow runs wait for a person's approval. */
  readonly heldCommits: Set<string>;
  readonly statuses: CommitStatus[];
  nextNumber: number;
}

/** The registered GitHub App. `privateKey` is PEM (PKCS#1, as GitHub generates it). */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where GitHub may redirect people who sign in to the App. */
  readonly callbackUrls: string[];
  readonly privateKey: string;
  readonly publicKey: string;
  readonly bot: Account;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
  readonly createdAt: string;
  readonly hook: { readonly id: number; url: string; secret: string };
}

export interface Installation {
  readonly id: number;
  readonly account: Account;
  readonly createdAt: string;
  suspendedAt: string | null;
  /** Ids of the repositories that it covers. */
  readonly repositories: Set<number>;
}
