import type { PullRequest, Repository, Review, ReviewComment } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccount, renderAccountOrNull } from "./account.ts";
import { commentsOf, issuePage, issueUrl, renderAssociation, renderIssue, renderReactions } from "./issue.ts";
import { renderRepository } from "./repository.ts";

/** What GitHub computes in the background; null while it is not known yet. */
export interface Mergeability {
  readonly mergeable: boolean | null;
  readonly state: "behind" | "blocked" | "clean" | "dirty" | "unknown" | "draft";
}

export const notComputed: Mergeability = { mergeable: null, state: "unknown" };

export function pullUrl(world: World, repository: Repository, number: number): string {
  return `${world.api}/repos/${fullNameOf(repository)}/pulls/${number}`;
}

/** Renders a pull request as lists show it. */
export function renderPullSimple(
  world: World,
  repository: Repository,
  issue: PullRequest,
): Record<string, unknown> {
  const { pull } = issue;
  const url = pullUrl(world, repository, issue.number);
  const page = issuePage(world, repository, issue);
  const comments = `${issueUrl(world, repository, issue.number)}/comments`;
  const statuses = `${world.api}/repos/${fullNameOf(repository)}/statuses/${pull.headSha}`;
  const shared = renderIssue(world, repository, issue);
  const repo = renderRepository(world, repository);
  const end = (ref: string, sha: string): Record<string, unknown> => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: renderAccount(world, repository.owner),
    repo,
  });
  return {
    url,
    id: pull.id,
    node_id: nodeId("PullRequest", pull.id),
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issueUrl(world, repository, issue.number),
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${world.api}/repos/${fullNameOf(repository)}/pulls/comments{/number}`,
    comments_url: comments,
    statuses_url: statuses,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: shared["user"],
    body: issue.body,
    labels: shared["labels"],
    milestone: shared["milestone"],
    active_lock_reason: issue.lockReason,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: shared["assignee"],
    assignees: shared["assignees"],
    requested_reviewers: pull.requestedReviewers.map((account) => renderAccount(world, account)),
    requested_teams: [],
    head:
      pull.fork === null
        ? end(pull.headRef, pull.headSha)
        : {
            ...end(pull.headRef, pull.headSha),
            label: `${pull.fork.owner.login}:${pull.headRef}`,
            user: renderAccount(world, pull.fork.owner),
            repo: { ...renderRepository(world, { ...repository, ...pull.fork }), fork: true },
          },
    base: end(pull.baseRef, pull.baseSha),
    _links: {
      self: { href: url },
      html: { href: page },
      issue: { href: issueUrl(world, repository, issue.number) },
      comments: { href: comments },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${world.api}/repos/${fullNameOf(repository)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: statuses },
    },
    author_association: renderAssociation(repository, issue.author),
    auto_merge: null,
    draft: pull.draft,
  };
}

/** Renders a single pull request, with its counts. */
export function renderPull(
  world: World,
  repository: Repository,
  issue: PullRequest,
  mergeability: Mergeability,
): Record<string, unknown> {
  const { pull } = issue;
  return {
    ...renderPullSimple(world, repository, issue),
    merged: pull.mergedAt !== null,
    mergeable: mergeability.mergeable,
    rebaseable: mergeability.mergeable,
    mergeable_state: mergeability.state,
    merged_by: renderAccountOrNull(world, pull.mergedBy),
    comments: commentsOf(repository, issue.number).length,
    review_comments: pull.reviewComments.length,
    maintainer_can_modify: false,
    commits: pull.stats.commits,
    additions: pull.stats.additions,
    deletions: pull.stats.deletions,
    changed_files: pull.stats.changedFiles,
  };
}

export function renderReview(
  world: World,
  repository: Repository,
  issue: PullRequest,
  review: Review,
): Record<string, unknown> {
  const page = `${issuePage(world, repository, issue)}#pullrequestreview-${review.id}`;
  const url = pullUrl(world, repository, issue.number);
  return {
    id: review.id,
    node_id: nodeId("PullRequestReview", review.id),
    user: renderAccount(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: url,
    _links: { html: { href: page }, pull_request: { href: url } },
    submitted_at: review.submittedAt,
    commit_id: review.commitId,
    author_association: renderAssociation(repository, review.author),
  };
}

export function renderReviewComment(
  world: World,
  repository: Repository,
  issue: PullRequest,
  comment: ReviewComment,
): Record<string, unknown> {
  const url = `${world.api}/repos/${fullNameOf(repository)}/pulls/comments/${comment.id}`;
  const page = `${issuePage(world, repository, issue)}#discussion_r${comment.id}`;
  const pull = pullUrl(world, repository, issue.number);
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId("PullRequestReviewComment", comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    position: 1,
    original_position: 1,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: renderAccount(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.createdAt,
    html_url: page,
    pull_request_url: pull,
    author_association: renderAssociation(repository, comment.author),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: pull } },
    start_line: null,
    original_start_line: null,
    start_side: null,
    line: comment.line,
    original_line: comment.line,
    side: comment.side,
    subject_type: "line",
    reactions: renderReactions(url, comment.reactions),
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}
