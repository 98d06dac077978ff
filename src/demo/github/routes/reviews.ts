import { commentInline, type InlineComment, submitReview } from "../acts/reviews.ts";
import { type Answer, ApiError, created, ok } from "../http/answer.ts";
import {
  isObject,
  type JsonObject,
  optionalChoice,
  optionalInteger,
  optionalText,
  requiredInteger,
  requiredText,
} from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderReview, renderReviewComment } from "../render/pull.ts";
import type { Repository } from "../world/records.ts";
import { pullOf } from "./find.ts";

const one = "/repos/{owner}/{repo}/pulls/{pull_number}";

export const reviewRoutes: Route[] = [
  repositoryRoute(`GET ${one}/reviews`, "pull_requests:read", (call, repository) => {
    const issue = pullOf(call, repository);
    return paged(call, issue.pull.reviews, (review) => renderReview(call.world, repository, issue, review));
  }),
  repositoryRoute(`POST ${one}/reviews`, "pull_requests:write", postReview, "read"),
  repositoryRoute(`GET ${one}/comments`, "pull_requests:read", (call, repository) => {
    const issue = pullOf(call, repository);
    return paged(call, issue.pull.reviewComments, (comment) =>
      renderReviewComment(call.world, repository, issue, comment),
    );
  }),
  repositoryRoute(
    `POST ${one}/comments`,
    "pull_requests:write",
    async (call, repository) => {
      const issue = pullOf(call, repository);
      const made = inline(call.body);
      const commitId = requiredText(call.body, "commit_id");
      const comment = await commentInline(call.world, repository, issue, call.actor.account, made, commitId);
      return created(renderReviewComment(call.world, repository, issue, comment));
    },
    "read",
  ),
];

async function postReview(call: Call, repository: Repository): Promise<Answer> {
  const { body, world } = call;
  const issue = pullOf(call, repository);
  const event = optionalChoice(body, "event", ["APPROVE", "REQUEST_CHANGES", "COMMENT"]);
  if (event === undefined) throw new ApiError(422, "This stand-in keeps no pending reviews: give an event.");
  const comments = Array.isArray(body["comments"]) ? body["comments"].filter(isObject) : [];
  const submitted = await submitReview(world, repository, issue, {
    author: call.actor.account,
    event,
    body: optionalText(body, "body") ?? "",
    commitId: optionalText(body, "commit_id") ?? undefined,
    comments: comments.map(inline),
  });
  return ok(renderReview(world, repository, issue, submitted));
}

function inline(body: JsonObject): InlineComment {
  return {
    path: requiredText(body, "path"),
    line: requiredInteger(body, "line"),
    side: optionalChoice(body, "side", ["LEFT", "RIGHT"]) ?? "RIGHT",
    body: requiredText(body, "body"),
    inReplyTo: optionalInteger(body, "in_reply_to") ?? null,
  };
}
