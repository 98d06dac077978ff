import { createComment, deleteComment, editComment, react } from "../acts/comments.ts";
import { type Answer, ApiError, created, noContent, notFound, ok } from "../http/answer.ts";
import { optionalChoice, requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { commentsOf, renderComment, renderReaction } from "../render/issue.ts";
import type { Comment, Issue, Reaction, Repository } from "../world/records.ts";
import { commentOf, demandAuthorOr, issueOf, viaApp } from "./find.ts";

const ofIssue = "/repos/{owner}/{repo}/issues/{issue_number}";
const one = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

/** Comments on issues and pull requests, and reactions to both. */
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
    ok(renderComment(call.world, repository, commentOf(call, repository))),
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
  ...reactionRoutes(one, commentOf),
  ...reactionRoutes(ofIssue, issueOf),
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

function reactionRoutes(
  path: string,
  find: (call: Call, repository: Repository) => { reactions: Reaction[] },
): Route[] {
  return [
    repositoryRoute(`GET ${path}/reactions`, "issues:read", (call, repository) => {
      const content = call.query.get("content");
      const found = find(call, repository).reactions.filter(
        (entry) => content === null || entry.content === content,
      );
      return paged(call, found, (entry) => renderReaction(call.world, entry));
    }),
    repositoryRoute(
      `POST ${path}/reactions`,
      "issues:write",
      (call, repository) => {
        const words = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
        const content = optionalChoice(call.body, "content", words);
        if (content === undefined) throw new ApiError(422, 'Invalid request.\n\n"content" wasn\'t supplied.');
        const { reaction, isNew } = react(call.world, find(call, repository), call.actor.account, content);
        return { status: isNew ? 201 : 200, json: renderReaction(call.world, reaction) };
      },
      "read",
    ),
    repositoryRoute(
      `DELETE ${path}/reactions/{reaction_id}`,
      "issues:write",
      (call, repository) => {
        const { reactions } = find(call, repository);
        const index = reactions.findIndex((entry) => entry.id === Number(call.params["reaction_id"]));
        const reaction = reactions[index];
        if (reaction === undefined) throw notFound();
        demandAuthorOr(call, repository, reaction.user, "write");
        reactions.splice(index, 1);
        return noContent;
      },
      "read",
    ),
  ];
}
