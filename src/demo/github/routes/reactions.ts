import { react } from "../acts/comments.ts";
import { ApiError, noContent, notFound } from "../http/answer.ts";
import { optionalChoice } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderReaction } from "../render/issue.ts";
import type { Reaction, Repository } from "../world/records.ts";
import { commentOf, demandAuthorOr, issueOf, reviewCommentOf } from "./find.ts";

const ofIssue = "/repos/{owner}/{repo}/issues/{issue_number}";
const ofComment = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const ofLine = "/repos/{owner}/{repo}/pulls/comments/{comment_id}";

type Find = (call: Call, repository: Repository) => { reactions: Reaction[] };
type Kind = "issues" | "pull_requests";

/** Routes of reactions to issues and pull requests, to their comments, and to comments on lines. */
export const reactionRoutes: Route[] = [
  ...[
    { path: ofComment, find: commentOf },
    { path: ofIssue, find: issueOf },
  ].flatMap(({ path, find }) => [...giving(path, find, "issues"), taking(path, find)]),
  ...giving(ofLine, reviewCommentOf, "pull_requests"),
];

function giving(path: string, find: Find, kind: Kind): Route[] {
  return [
    repositoryRoute(`GET ${path}/reactions`, `${kind}:read`, (call, repository) => {
      const content = call.query.get("content");
      const found = find(call, repository).reactions.filter(
        (entry) => content === null || entry.content === content,
      );
      return paged(call, found, (entry) => renderReaction(call.world, entry));
    }),
    repositoryRoute(
      `POST ${path}/reactions`,
      `${kind}:write`,
      (call, repository) => {
        const words = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
        const content = optionalChoice(call.body, "content", words);
        if (content === undefined) throw new ApiError(422, 'Invalid request.\n\n"content" wasn\'t supplied.');
        const { reaction, isNew } = react(call.world, find(call, repository), call.actor.account, content);
        return { status: isNew ? 201 : 200, json: renderReaction(call.world, reaction) };
      },
      "read",
    ),
  ];
}

function taking(path: string, find: Find): Route {
  return repositoryRoute(
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
  );
}
