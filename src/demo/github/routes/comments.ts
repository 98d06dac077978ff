import { createComment, deleteComment, editComment } from "../acts/comments.ts";
import { type Answer, created, noContent, notFound, ok } from "../http/answer.ts";
import { requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { inForm } from "../render/body-form.ts";
import { commentsOf, renderComment } from "../render/issue.ts";
import type { Comment, Issue, Repository } from "../world/records.ts";
import { commentOf, demandAuthorOr, issueOf, viaApp } from "./find.ts";

const ofIssue = "/repos/{owner}/{repo}/issues/{issue_number}";
const one = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

/** Routes of comments on issues and pull requests. */
export const commentRoutes: Route[] = [
  repositoryRoute(`GET ${ofIssue}/comments`, "issues:read", (call, repository) =>
    page(call, repository, commentsOf(repository, issueOf(call, repository).number)),
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/issues/comments", "issues:read", (call, repository) =>
    page(call, repository, [...repository.comments.values()]),
  ),
  repositoryRoute(
    `POST ${ofIssue}/comments`,
    "issues:write",
    (call, repository) => {
      const { world, actor } = call;
      const written = { author: actor.account, viaApp: viaApp(call), body: requiredText(call.body, "body") };
      const comment = createComment(world, repository, issueOf(call, repository), written);
      return created(renderComment(world, repository, comment));
    },
    "read",
  ),
  repositoryRoute(`GET ${one}`, "issues:read", (call, repository) =>
    inForm(call, renderComment(call.world, repository, commentOf(call, repository))),
  ),
  repositoryRoute(
    `PATCH ${one}`,
    "issues:write",
    (call, repository) => {
      const comment = commentOf(call, repository);
      demandAuthorOr(call, repository, comment.author, "write");
      const body = requiredText(call.body, "body");
      editComment(call.world, repository, issueFor(repository, comment), comment, call.actor.account, body);
      return ok(renderComment(call.world, repository, comment));
    },
    "read",
  ),
  repositoryRoute(
    `DELETE ${one}`,
    "issues:write",
    (call, repository) => {
      const comment = commentOf(call, repository);
      demandAuthorOr(call, repository, comment.author, "write");
      deleteComment(call.world, repository, issueFor(repository, comment), comment, call.actor.account);
      return noContent;
    },
    "read",
  ),
];

function page(call: Call, repository: Repository, comments: readonly Comment[]): Answer {
  const since = call.query.get("since");
  const recent = comments.filter(
    (comment) => since === null || Date.parse(comment.updatedAt) >= Date.parse(since),
  );
  return paged(call, recent, (comment) => renderComment(call.world, repository, comment));
}

function issueFor(repository: Repository, comment: Comment): Issue {
  const issue = repository.issues.get(comment.issueNumber);
  if (issue === undefined) throw notFound();
  return issue;
}
