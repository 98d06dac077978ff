import { z } from "zod";
import type { IssueFacts } from "../../domain/events/domain-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { commentShape, issueShape } from "../payload.ts";
import { commentedOn } from "./commented.ts";
import { type Ignored, ignoredSender, type ParseContext, parser, wasBackfilled } from "./parsing.ts";

const shape = z.object({ issue: issueShape, comment: commentShape });

/** A comment on an issue, or on one of our pull requests, where it is about that one's issue. */
export const issueCommentCreated = parser(shape, async ({ issue: commented, comment }, context) => {
  const deaf = ignoredSender(context);
  if (deaf !== undefined) return deaf;
  if (await wasBackfilled(context, `comment-${comment.id}`))
    return { ignored: "its issue's list of comments told of it before" };
  const issue = commented.isPullRequest ? await issueOfPull(commented, context) : commented;
  if ("ignored" in issue) return issue;
  return commentedOn(issue, { ...comment, place: "issue" }, context);
});

async function issueOfPull(
  pull: Pick<IssueFacts, "number" | "author">,
  { base: { repository }, tools }: ParseContext,
): Promise<IssueFacts | Ignored> {
  const foreign = { ignored: `#${pull.number} is not a pull request of ours` };
  if (pull.author.id !== tools.identity.botId) return foreign;
  const { headRef, headRepository } = await tools.github.pullRequest(repository, pull.number);
  const issue = branchIssue(tools.settings.branches, headRef);
  if (issue === undefined || headRepository?.toLowerCase() !== fullName(repository).toLowerCase()) {
    return foreign;
  }
  return tools.github.issue(repository, issue);
}
