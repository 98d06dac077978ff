import { z } from "zod";
import { readComment } from "../../domain/commands/command.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { commentShape, pullRequestShape } from "../payload.ts";
import { commentedOn } from "./commented.ts";
import { endOf, notOurPull } from "./our-pull.ts";
import { ignoredSender, parser } from "./parsing.ts";

const shape = z.object({ pull_request: pullRequestShape, comment: commentShape });

/** A comment on a line counts as a review that comments; one that gives a command, as that command. */
export const pullRequestReviewCommentCreated = parser(
  shape,
  async ({ pull_request: pull, comment }, context) => {
    const ignored = notOurPull(pull, context) ?? ignoredSender(context);
    if (ignored !== undefined) return ignored;
    const { base, tools } = context;
    const issue = branchIssue(tools.settings.branches, pull.headRef);
    if (issue !== undefined && readComment(comment.body, tools.identity.slug).command !== null)
      return commentedOn(
        await tools.github.issue(base.repository, issue),
        { ...comment, place: "review" },
        context,
      );
    return {
      ...base,
      permitted: await context.mayAsk(base.repository, base.actor),
      type: "reviewed",
      pull: pull.number,
      headRef: pull.headRef,
      ended: endOf(pull),
      source: `line:${comment.id}`,
      verdict: "commented",
      reviewedCommit: null,
      body: comment.body,
      url: comment.url,
    };
  },
);
