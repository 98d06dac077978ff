import { ApiError, notFound } from "../http/answer.ts";
import { renderIssue } from "../render/issue.ts";
import { renderRepository } from "../render/repository.ts";
import type { Account, Issue, Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";

function refuse(message: string): ApiError {
  return new ApiError(422, "Validation Failed", {
    errors: [{ resource: "Issue", code: "custom", field: "base", message }],
  });
}

/** Finds the issue with this database id in any repository. Throws 404 if there is none. */
export function issueAnywhere(world: World, id: number): { repository: Repository; issue: Issue } {
  for (const repository of world.repositories.values())
    for (const issue of repository.issues.values()) if (issue.id === id) return { repository, issue };
  throw notFound();
}

/** Finds the issue of this repository with this database id. Throws 404 if there is none. */
export function issueById(repository: Repository, id: number): Issue {
  const found = [...repository.issues.values()].find((issue) => issue.id === id);
  if (found === undefined) throw notFound();
  return found;
}

export function addBlockedBy(
  world: World,
  repository: Repository,
  sender: Account,
  blocked: Issue,
  blocking: Issue,
): void {
  if (blocked === blocking) throw refuse("An issue cannot block itself");
  if (blocked.blockedBy.includes(blocking)) throw refuse("Target issue has already been taken");
  if (dependsOn(blocking, blocked)) throw refuse("This would make a circular dependency");
  blocked.blockedBy.push(blocking);
  emitDependency(world, repository, sender, "added", blocked, blocking);
}

export function removeBlockedBy(
  world: World,
  repository: Repository,
  sender: Account,
  blocked: Issue,
  blocking: Issue,
): void {
  const index = blocked.blockedBy.indexOf(blocking);
  if (index < 0) throw notFound();
  blocked.blockedBy.splice(index, 1);
  emitDependency(world, repository, sender, "removed", blocked, blocking);
}

function dependsOn(issue: Issue, other: Issue): boolean {
  return issue.blockedBy.some((blocker) => blocker === other || dependsOn(blocker, other));
}

function emitDependency(
  world: World,
  repository: Repository,
  sender: Account,
  what: "added" | "removed",
  blocked: Issue,
  blocking: Issue,
): void {
  const other = issueAnywhere(world, blocking.id).repository;
  const shared = {
    blocked_issue_id: blocked.id,
    blocked_issue: renderIssue(world, repository, blocked),
    blocking_issue_id: blocking.id,
    blocking_issue: renderIssue(world, other, blocking),
  };
  const event = "issue_dependencies";
  const blockedBy = { ...shared, blocking_issue_repo: renderRepository(world, other) };
  world.emit({ event, action: `blocked_by_${what}`, repository, sender, fields: blockedBy });
  const blocks = { ...shared, blocked_issue_repo: renderRepository(world, repository) };
  world.emit({ event, action: `blocking_${what}`, repository: other, sender, fields: blocks });
}

export function addSubIssue(
  world: World,
  repository: Repository,
  sender: Account,
  parent: Issue,
  child: Issue,
  replaceParent: boolean,
): void {
  if (parent === child)
    throw refuse("Issue may not contain duplicate sub-issues and Sub issue may only have one parent");
  if (child.parent !== null) {
    if (!replaceParent || child.parent === parent) throw refuse("Sub issue may only have one parent");
    removeSubIssue(world, repository, sender, child.parent, child);
  }
  parent.subIssues.push(child);
  child.parent = parent;
  emitSubIssue(world, repository, sender, "added", parent, child);
}

export function removeSubIssue(
  world: World,
  repository: Repository,
  sender: Account,
  parent: Issue,
  child: Issue,
): void {
  const index = parent.subIssues.indexOf(child);
  if (index < 0) throw notFound();
  parent.subIssues.splice(index, 1);
  child.parent = null;
  emitSubIssue(world, repository, sender, "removed", parent, child);
}

function emitSubIssue(
  world: World,
  repository: Repository,
  sender: Account,
  what: "added" | "removed",
  parent: Issue,
  child: Issue,
): void {
  const shared = {
    sub_issue_id: child.id,
    sub_issue: renderIssue(world, repository, child),
    parent_issue_id: parent.id,
    parent_issue: renderIssue(world, repository, parent),
  };
  const repo = renderRepository(world, repository);
  const event = "sub_issues";
  const forChild = { ...shared, parent_issue_repo: repo };
  world.emit({ event, action: `parent_issue_${what}`, repository, sender, fields: forChild });
  const forParent = { ...shared, sub_issue_repo: repo };
  world.emit({ event, action: `sub_issue_${what}`, repository, sender, fields: forParent });
}
