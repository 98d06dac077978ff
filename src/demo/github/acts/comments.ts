import { hasRole } from "../auth/allow.ts";
import { forbidden } from "../http/answer.ts";
import { renderComment, renderIssue } from "../render/issue.ts";
import type { Account, Comment, Issue, Reaction, ReactionContent, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { stampUpdated } from "./emit.ts";
import { keepVersion } from "./keep-version.ts";

export function createComment(
  world: World,
  repository: Repository,
  issue: Issue,
  written: { author: Account; viaApp: boolean; body: string },
): Comment {
  const { author, viaApp, body } = written;
  if (issue.locked && !viaApp && !hasRole(repository, author, "write")) {
    throw forbidden("Unable to create comment because issue is locked.");
  }
  const at = now(world);
  const comment: Comment = {
    id: world.nextId(),
    issueNumber: issue.number,
    body,
    author,
    viaApp,
    createdAt: at,
    updatedAt: at,
    reactions: [],
    versions: [],
  };
  repository.comments.set(comment.id, comment);
  stampUpdated(world, issue);
  emitComment(world, repository, issue, comment, author, "created");
  return comment;
}

export function editComment(
  world: World,
  repository: Repository,
  issue: Issue,
  comment: Comment,
  sender: Account,
  body: string,
): void {
  const from = comment.body;
  if (from === body) return;
  keepVersion(world, comment, { before: from, after: body });
  comment.body = body;
  comment.updatedAt = now(world);
  emitComment(world, repository, issue, comment, sender, "edited", { changes: { body: { from } } });
}

export function deleteComment(
  world: World,
  repository: Repository,
  issue: Issue,
  comment: Comment,
  sender: Account,
): void {
  repository.comments.delete(comment.id);
  emitComment(world, repository, issue, comment, sender, "deleted");
}

function emitComment(
  world: World,
  repository: Repository,
  issue: Issue,
  comment: Comment,
  sender: Account,
  action: string,
  more: Record<string, unknown> = {},
): void {
  const fields = {
    issue: renderIssue(world, repository, issue),
    comment: renderComment(world, repository, comment),
    ...more,
  };
  world.emit({ event: "issue_comment", action, repository, sender, fields });
}

/**
 * Adds a reaction; if the account has already reacted so, returns that reaction. GitHub sends no webhook for reactions.
 */
export function react(
  world: World,
  target: { reactions: Reaction[] },
  user: Account,
  content: ReactionContent,
): { reaction: Reaction; isNew: boolean } {
  const found = target.reactions.find((entry) => entry.user === user && entry.content === content);
  if (found !== undefined) return { reaction: found, isNew: false };
  const reaction = { id: world.nextId(), content, user, createdAt: now(world) };
  target.reactions.push(reaction);
  return { reaction, isNew: true };
}
