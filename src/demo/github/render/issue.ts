import { roleOf } from "../auth/allow.ts";
import type { Account, Comment, Issue, Label, Milestone, Reaction, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccount, renderAccountOrNull } from "./account.ts";
import { renderViaApp } from "./app.ts";

export function issueUrl(world: World, repository: Repository, number: number): string {
  return `${world.api}/repos/${fullNameOf(repository)}/issues/${number}`;
}

export function issuePage(world: World, repository: Repository, issue: Issue): string {
  return `${world.origin}/${fullNameOf(repository)}/${issue.pull ? "pull" : "issues"}/${issue.number}`;
}

export function renderAssociation(repository: Repository, account: Account): string {
  if (account.type === "Bot") return "NONE";
  const role = roleOf(repository, account);
  return role === "admin" ? "OWNER" : role === "none" || role === "read" ? "NONE" : "COLLABORATOR";
}

export function renderLabel(world: World, repository: Repository, label: Label): Record<string, unknown> {
  return {
    id: label.id,
    node_id: nodeId("Label", label.id),
    url: `${world.api}/repos/${fullNameOf(repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function renderMilestone(
  world: World,
  repository: Repository,
  milestone: Milestone,
): Record<string, unknown> {
  const url = `${world.api}/repos/${fullNameOf(repository)}/milestones/${milestone.number}`;
  const issues = [...repository.issues.values()].filter((issue) => issue.milestone === milestone);
  const open = issues.filter((issue) => issue.state === "open").length;
  return {
    url,
    html_url: `${world.origin}/${fullNameOf(repository)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: nodeId("Milestone", milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: renderAccount(world, milestone.creator),
    open_issues: open,
    closed_issues: issues.length - open,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    closed_at: milestone.closedAt,
    due_on: milestone.dueOn,
  };
}

export function renderReactions(url: string, reactions: readonly Reaction[]): Record<string, unknown> {
  const count = (content: Reaction["content"]): number =>
    reactions.filter((reaction) => reaction.content === content).length;
  return {
    url: `${url}/reactions`,
    total_count: reactions.length,
    "+1": count("+1"),
    "-1": count("-1"),
    laugh: count("laugh"),
    hooray: count("hooray"),
    confused: count("confused"),
    heart: count("heart"),
    rocket: count("rocket"),
    eyes: count("eyes"),
  };
}

export function renderReaction(world: World, reaction: Reaction): Record<string, unknown> {
  return {
    id: reaction.id,
    node_id: nodeId("Reaction", reaction.id),
    user: renderAccount(world, reaction.user),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** Renders an issue, or a pull request as the issues API shows it. */
export function renderIssue(world: World, repository: Repository, issue: Issue): Record<string, unknown> {
  const url = issueUrl(world, repository, issue.number);
  const page = issuePage(world, repository, issue);
  return {
    id: issue.id,
    node_id: nodeId(issue.pull ? "PullRequest" : "Issue", issue.id),
    url,
    repository_url: `${world.api}/repos/${fullNameOf(repository)}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    number: issue.number,
    title: issue.title,
    user: renderAccount(world, issue.author),
    labels: issue.labels.map((label) => renderLabel(world, repository, label)),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.locked,
    active_lock_reason: issue.lockReason,
    assignee: renderAccountOrNull(world, issue.assignees[0] ?? null),
    assignees: issue.assignees.map((account) => renderAccount(world, account)),
    milestone: issue.milestone === null ? null : renderMilestone(world, repository, issue.milestone),
    comments: commentsOf(repository, issue.number).length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: renderAccountOrNull(world, issue.closedBy),
    author_association: renderAssociation(repository, issue.author),
    body: issue.body,
    reactions: renderReactions(url, issue.reactions),
    performed_via_github_app: renderViaApp(world, issue.viaApp),
    ...(issue.pull === null
      ? renderRelations(world, repository, issue)
      : renderPullLinks(world, repository, issue)),
  };
}

function countOpen(issues: readonly Issue[]): number {
  return issues.filter((issue) => issue.state === "open").length;
}

function renderRelations(world: World, repository: Repository, issue: Issue): Record<string, unknown> {
  const closed = issue.subIssues.filter((entry) => entry.state === "closed").length;
  const total = issue.subIssues.length;
  const issues = [...world.repositories.values()].flatMap((one) => [...one.issues.values()]);
  const blocking = issues.filter((entry) => entry.blockedBy.includes(issue));
  const parent = issue.parent && { parent_issue_url: issueUrl(world, repository, issue.parent.number) };
  return {
    sub_issues_summary: {
      total,
      completed: closed,
      percent_completed: total === 0 ? 0 : Math.round((100 * closed) / total),
    },
    issue_dependencies_summary: {
      blocked_by: countOpen(issue.blockedBy),
      blocking: countOpen(blocking),
      total_blocked_by: issue.blockedBy.length,
      total_blocking: blocking.length,
    },
    ...parent,
  };
}

function renderPullLinks(world: World, repository: Repository, issue: Issue): Record<string, unknown> {
  const page = issuePage(world, repository, issue);
  return {
    draft: issue.pull?.draft ?? false,
    pull_request: {
      url: `${world.api}/repos/${fullNameOf(repository)}/pulls/${issue.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: issue.pull?.mergedAt ?? null,
    },
  };
}

/** Returns the comments of an issue or pull request, oldest first. */
export function commentsOf(repository: Repository, number: number): Comment[] {
  return [...repository.comments.values()].filter((comment) => comment.issueNumber === number);
}

export function renderComment(
  world: World,
  repository: Repository,
  comment: Comment,
): Record<string, unknown> {
  const url = `${world.api}/repos/${fullNameOf(repository)}/issues/comments/${comment.id}`;
  const issue = repository.issues.get(comment.issueNumber);
  return {
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    url,
    html_url: `${issue ? issuePage(world, repository, issue) : world.origin}#issuecomment-${comment.id}`,
    issue_url: issueUrl(world, repository, comment.issueNumber),
    user: renderAccount(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: renderAssociation(repository, comment.author),
    body: comment.body,
    reactions: renderReactions(url, comment.reactions),
    performed_via_github_app: renderViaApp(world, comment.viaApp),
  };
}
