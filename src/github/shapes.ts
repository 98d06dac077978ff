import type { RestEndpointMethodTypes } from "@octokit/rest";
import { accountType, GHOST } from "../core/account.ts";
import type {
  Account,
  GitHubComment,
  GitHubEvent,
  GitHubIssue,
  GitHubPullRequest,
  GitHubReaction,
  GitHubRepository,
  GitHubReview,
  GitHubReviewComment,
  RelatedIssue,
} from "../core/ports/github.ts";

type Methods = RestEndpointMethodTypes;
type RawIssue = Methods["issues"]["get"]["response"]["data"];
type RawComment = Omit<Methods["issues"]["getComment"]["response"]["data"], "issue_url">;
type RawReviewComment = Methods["pulls"]["listReviewComments"]["response"]["data"][number];
type RawReaction = Methods["reactions"]["listForIssueComment"]["response"]["data"][number];
type RawEvent = Methods["issues"]["listEvents"]["response"]["data"][number];
type RawReview = Methods["pulls"]["listReviews"]["response"]["data"][number];
type RawPull =
  | Methods["pulls"]["list"]["response"]["data"][number]
  | Methods["pulls"]["get"]["response"]["data"];

function accountFrom(raw: { id: number; login: string; type: string } | null | undefined): Account {
  return raw ? { id: raw.id, login: raw.login, type: accountType(raw.type) } : GHOST;
}

export function reactionFrom({ content, user }: RawReaction): GitHubReaction {
  return { content, user: accountFrom(user) };
}

export function repositoryFrom(raw: Methods["repos"]["get"]["response"]["data"]): GitHubRepository {
  return {
    id: raw.id,
    fullName: raw.full_name,
    defaultBranch: raw.default_branch,
    private: raw.private,
    archived: raw.archived,
  };
}

export function issueFrom(raw: RawIssue): GitHubIssue {
  return {
    id: raw.id,
    number: raw.number,
    title: raw.title,
    body: raw.body ?? "",
    state: raw.state === "open" ? "open" : "closed",
    stateReason: raw.state_reason ?? null,
    labels: raw.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
    assignees: (raw.assignees ?? []).map(accountFrom),
    author: accountFrom(raw.user),
    locked: raw.locked,
    isPullRequest: raw.pull_request !== undefined,
    milestone: raw.milestone
      ? { number: raw.milestone.number, title: raw.milestone.title, dueOn: raw.milestone.due_on }
      : null,
    url: raw.html_url,
  };
}

/** Its repository stands in the address that GitHub gives of it: `…/repos/owner/name`. */
export function relatedFrom(raw: Pick<RawIssue, "repository_url" | "number" | "state">): RelatedIssue {
  return {
    repository: raw.repository_url.split("/").slice(-2).join("/"),
    number: raw.number,
    state: raw.state === "open" ? "open" : "closed",
  };
}

export function commentFrom(raw: RawComment): GitHubComment {
  return {
    id: raw.id,
    body: raw.body ?? "",
    author: accountFrom(raw.user),
    createdAt: raw.created_at,
    url: raw.html_url,
  };
}

/** `line` is missing once the diff has gone on; the line that was meant is told then. */
export function reviewCommentFrom(raw: RawReviewComment): GitHubReviewComment {
  return { ...commentFrom(raw), path: raw.path, line: raw.line ?? raw.original_line ?? null };
}

export function pullRequestFrom(raw: RawPull): GitHubPullRequest {
  return {
    number: raw.number,
    title: raw.title,
    body: raw.body ?? "",
    state: raw.state === "open" ? "open" : "closed",
    merged: raw.merged_at !== null,
    draft: raw.draft ?? false,
    author: accountFrom(raw.user),
    headRef: raw.head.ref,
    headSha: raw.head.sha,
    headRepository: raw.head.repo?.full_name ?? null,
    baseRef: raw.base.ref,
    url: raw.html_url,
    createdAt: raw.created_at,
    asked: [
      ...new Set([...(raw.requested_reviewers ?? []), ...(raw.assignees ?? [])].map(({ login }) => login)),
    ],
    ...("additions" in raw ? { changedLines: raw.additions + raw.deletions } : {}),
  };
}

export function eventFrom(raw: RawEvent): GitHubEvent {
  return {
    id: raw.id,
    event: raw.event,
    actor: accountFrom("assigner" in raw ? raw.assigner : raw.actor),
    createdAt: raw.created_at,
    label: "label" in raw ? raw.label.name : null,
    assignee: "assignee" in raw ? accountFrom(raw.assignee) : null,
    commit: raw.commit_id,
  };
}

/** Null for one that its author has not submitted yet. */
export function reviewFrom(raw: RawReview): GitHubReview | null {
  if (raw.submitted_at === undefined) return null;
  return {
    id: raw.id,
    body: raw.body,
    author: accountFrom(raw.user),
    url: raw.html_url,
    verdict: raw.state.toLowerCase(),
    commit: raw.commit_id,
    submittedAt: raw.submitted_at,
  };
}
