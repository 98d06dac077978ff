import type { Account } from "../../src/domain/events/account.ts";
import { fullName, type RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type {
  CommitCheck,
  FailedJob,
  GitHubComment,
  GitHubEvent,
  GitHubIssue,
  GitHubReview,
  GitHubReviewComment,
  Permission,
  RelatedIssue,
  RepositoryLimits,
} from "../../src/domain/ports/github.ts";
import type {
  CommitToSign,
  GitHubPullRequest,
  MergeDemands,
  QueuedPull,
} from "../../src/domain/ports/github-changes.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const BOT: Account = { id: 41, login: "flotilla[bot]", type: "Bot" };

/** The content of one repository. Tests may read and change it freely. */
export interface FakeRepository {
  readonly ref: RepositoryRef;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
  readonly issues: Map<number, Mutable<GitHubIssue>>;
  readonly comments: Map<number, Mutable<GitHubComment>[]>;
  readonly pulls: Map<number, Mutable<GitHubPullRequest>>;
  /** By pull request: the comments on its lines. */
  readonly reviewComments: Map<number, GitHubReviewComment[]>;
  /** By issue or pull request: its events. */
  readonly events: Map<number, GitHubEvent[]>;
  /** By pull request: its reviews. */
  readonly reviews: Map<number, GitHubReview[]>;
  /** By name: the colour. */
  readonly labels: Map<string, string>;
  /** By login; accounts that are not in it have no permission. */
  readonly permissions: Map<string, Permission>;
  /** Names of branches besides the default branch that exist on the server from the start. */
  readonly branches: Set<string>;
  /** Names of branches with commits that the default branch lacks. */
  readonly branchesAhead: Set<string>;
  /** By issue number: the numbers of the issues that block it. */
  readonly blockedBy: Map<number, Set<number>>;
  /** By issue number: the issues of other repositories that block it. */
  readonly blockedElsewhere: Map<number, readonly RelatedIssue[]>;
  /** Files of the default branch by path. */
  readonly files: Map<string, string>;
  /** By branch: the only file that our App proposes on it. */
  readonly proposed: Map<string, { readonly path: string; readonly content: string }>;
  /** The paths of `files` that are symbolic links. */
  readonly links: Set<string>;
  /** By branch: the paths that it changes. */
  readonly changedFiles: Map<string, readonly string[]>;
  /** By issue number: the number of its parent. */
  readonly parents: Map<number, number>;
  /** By commit: its checks. */
  readonly checks: Map<string, CommitCheck[]>;
  /** Failed jobs by id. */
  readonly failedJobs: Map<number, FailedJob>;
  /** Attachments, by their names. */
  readonly pictures: Map<string, Uint8Array>;
  /** Commits whose workflow runs a person must approve. */
  readonly awaitingApproval: Set<string>;
  /** Names of checks that GitHub requires on the default branch. */
  requiredChecks: readonly string[];
  /** What its rules demand of a merge into the default branch. */
  mergeDemands: Partial<MergeDemands>;
  /** By pull request: GitHub's merge state if it is not `clean`. */
  readonly mergeStates: Map<number, string>;
  /** By pull request: its merge. */
  readonly merges: Map<number, { readonly commit: string; readonly by: number }>;
  /** By pull request: GitHub's own merge queue, where `mergeDemands.queue` is set. */
  readonly queued: Map<number, QueuedPull>;
  limits: RepositoryLimits;
  /** The commits that GitHub made and signed, in their order. */
  readonly signed: Map<string, CommitToSign>;
  /** Reactions; without `by` they are ours. */
  readonly reactions: { readonly commentId: number; readonly reaction: string; readonly by?: Account }[];
}

/** Builds a person's account; the same login has the same account. */
export function person(login: string): Account {
  const id = Array.from(login, (letter) => letter.codePointAt(0) ?? 0).reduce(
    (sum, code) => sum * 31 + code,
    7,
  );
  return { id, login, type: "User" };
}

/** Opens an issue as its author, or creates the issue of a pull request. */
export function addIssue(
  repository: FakeRepository,
  issue: {
    title: string;
    body?: string;
    labels?: readonly string[];
    author: Account;
    isPullRequest?: boolean;
  },
): Mutable<GitHubIssue> {
  const number = repository.issues.size + 1;
  const opened = {
    id: repository.ref.id * 10_000 + number,
    number,
    title: issue.title,
    body: issue.body ?? "",
    state: "open" as const,
    stateReason: null,
    labels: issue.labels ?? [],
    assignees: [],
    author: issue.author,
    locked: false,
    milestone: null,
    isPullRequest: issue.isPullRequest ?? false,
    url: `https://github.test/${fullName(repository.ref)}/issues/${number}`,
  };
  repository.issues.set(number, opened);
  return opened;
}

export function addComment(
  repository: FakeRepository,
  number: number,
  comment: { body: string; author: Account; at: number },
): GitHubComment {
  const comments = repository.comments.get(number) ?? [];
  const id = number * 100_000 + comments.length + 1;
  const added = {
    id,
    body: comment.body,
    author: comment.author,
    createdAt: new Date(comment.at).toISOString(),
    url: `https://github.test/${fullName(repository.ref)}/issues/${number}#issuecomment-${id}`,
  };
  repository.comments.set(number, [...comments, added]);
  return added;
}

export function addPull(
  repository: FakeRepository,
  pull: Pick<GitHubPullRequest, "title" | "body" | "draft" | "author"> & {
    readonly head: string;
    readonly base: string;
    readonly at?: number;
  },
): Mutable<GitHubPullRequest> {
  const { number } = addIssue(repository, { ...pull, isPullRequest: true });
  const opened = {
    number,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    author: pull.author,
    state: "open" as const,
    merged: false,
    headRef: pull.head,
    headSha: number.toString(16).padStart(40, "0"),
    headRepository: fullName(repository.ref),
    baseRef: pull.base,
    url: `https://github.test/${fullName(repository.ref)}/pull/${number}`,
    createdAt: seconds(pull.at ?? 0),
    asked: [],
    changedLines: 1,
  };
  repository.pulls.set(number, opened);
  return opened;
}

/** Ids of events and reviews are unique per server; here each repository has its own server. */
const lastIds = new WeakMap<FakeRepository, number>();

function nextId(repository: FakeRepository): number {
  const id = (lastIds.get(repository) ?? 500_000) + 1;
  lastIds.set(repository, id);
  return id;
}

/** Who did it and when; GitHub stores whole seconds. */
export interface Did {
  readonly by?: Account;
  readonly at?: number;
}

const seconds = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Adds an entry to the list of events of an issue or pull request. */
export function happened(
  repository: FakeRepository,
  number: number,
  event: string,
  {
    by = person("alice"),
    at = 0,
    ...fields
  }: Did & Partial<Pick<GitHubEvent, "label" | "assignee" | "commit">> = {},
): GitHubEvent {
  const kept = { label: null, assignee: null, commit: null, ...fields };
  const added = { id: nextId(repository), event, actor: by, createdAt: seconds(at), ...kept };
  repository.events.set(number, [...(repository.events.get(number) ?? []), added]);
  return added;
}

export function addReview(
  repository: FakeRepository,
  pull: number,
  wrote: Did & Pick<GitHubReview, "verdict" | "body"> & Partial<Pick<GitHubReview, "commit">>,
): GitHubReview {
  const { by = person("alice"), at = 0, verdict, commit = null, body } = wrote;
  const id = nextId(repository);
  const url = `${repository.pulls.get(pull)?.url}#pullrequestreview-${id}`;
  const added = { id, verdict, commit, body, author: by, submittedAt: seconds(at), url };
  repository.reviews.set(pull, [...(repository.reviews.get(pull) ?? []), added]);
  return added;
}

/** Dismisses the account's latest verdict. */
export function dismissReview(repository: FakeRepository, pull: number, login: string): void {
  const reviews = repository.reviews.get(pull) ?? [];
  const last = reviews.findLast(({ author, verdict }) => author.login === login && verdict !== "commented");
  repository.reviews.set(
    pull,
    reviews.map((review) => (review === last ? { ...review, verdict: "dismissed" } : review)),
  );
}

/** Closes an issue or a pull request. A merged one removes its branch from `branchesAhead`. */
export function close(
  repository: FakeRepository,
  number: number,
  { merged = false, ...did }: Did & { readonly merged?: boolean } = {},
): void {
  const issue = repository.issues.get(number);
  const pull = repository.pulls.get(number);
  if (issue) Object.assign(issue, { state: "closed", stateReason: pull ? null : "completed" });
  if (merged) happened(repository, number, "merged", { ...did, commit: "c".repeat(40) });
  happened(repository, number, "closed", did);
  if (!pull) return;
  Object.assign(pull, { state: "closed", merged });
  if (merged) repository.branchesAhead.delete(pull.headRef);
}
