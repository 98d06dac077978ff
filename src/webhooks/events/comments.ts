import { z } from "zod";
import { type Command, readComment } from "../../domain/commands/command.ts";
import type { DomainEventOf, IssueFacts } from "../../domain/events/domain-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import { accountShape, commentShape, issueShape, pullRequestShape } from "../payload.ts";
import { NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import {
  type Ignored,
  ignoredSender,
  type ParseContext,
  parser,
  type WebhookParsers,
  wasBackfilled,
  withPermission,
} from "./parsing.ts";
import { endOf, notOurPull } from "./pull-requests.ts";

type Commented = DomainEventOf<"commented">;

/** Readers of what people write in comments. */
export const COMMENT_EVENTS = {
  /**
   * Reads a comment on an issue, or on one of our pull requests, where it counts for the pull request's
   * issue.
   */
  "issue_comment.created": parser(
    z.object({ issue: issueShape, comment: commentShape }),
    async ({ issue: commented, comment }, context) => {
      const deaf = ignoredSender(context);
      if (deaf !== undefined) return deaf;
      if (await wasBackfilled(context, `comment-${comment.id}`))
        return { ignored: "its issue's list of comments told of it before" };
      if (commented.isPullRequest && commented.author.id !== context.tools.identity.botId)
        return commentedOnTheirs(commented, comment, context);
      const issue = commented.isPullRequest ? await issueOfPull(commented, context) : commented;
      if ("ignored" in issue) return issue;
      return commentedOn(issue, { ...comment, place: "issue" }, context);
    },
  ),

  /** Reads an edit of one of our comments, such as a ticked box; other edits change nothing. */
  "issue_comment.edited": parser(
    z.object({
      issue: issueShape,
      comment: z.intersection(commentShape, z.object({ user: accountShape.nullish() })),
    }),
    async ({ issue, comment }, context) => {
      const deaf = ignoredSender(context);
      if (deaf !== undefined) return deaf;
      if (comment.user?.id !== context.tools.identity.botId)
        return { ignored: "the edited comment is not ours" };
      const { id: commentId, url, body } = comment;
      return { ...(await withPermission(context)), type: "comment_edited", issue, commentId, url, body };
    },
  ),

  /** Reads a comment on a line: a command if it gives one, otherwise a review that comments. */
  "pull_request_review_comment.created": parser(
    z.object({ pull_request: pullRequestShape, comment: commentShape }),
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
        ...(await withPermission(context)),
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
  ),
} satisfies WebhookParsers;

async function issueOfPull(
  pull: Pick<IssueFacts, "number">,
  { base: { repository }, tools }: ParseContext,
): Promise<IssueFacts | Ignored> {
  const foreign = { ignored: `#${pull.number} is not a pull request of ours` };
  const { headRef, headRepository } = await tools.github.pullRequest(repository, pull.number);
  const issue = branchIssue(tools.settings.branches, headRef);
  if (issue === undefined || headRepository?.toLowerCase() !== fullName(repository).toLowerCase()) {
    return foreign;
  }
  return tools.github.issue(repository, issue);
}

/** Returns the event of a comment on a person's pull request. Its head is read only where it concerns us. */
async function commentedOnTheirs(
  issue: IssueFacts,
  comment: z.output<typeof commentShape>,
  context: ParseContext,
): Promise<Commented | Ignored> {
  const { base, tools } = context;
  const said = { ...comment, place: "issue" } as const;
  const { command, mention } = readComment(comment.body, tools.identity.slug);
  if (command === null && !mention) return commentedOn(issue, said, context);
  const theirs = await tools.github.pullRequest(base.repository, issue.number);
  const isHere = theirs.headRepository?.toLowerCase() === fullName(base.repository).toLowerCase();
  if (isHere && branchIssue(tools.settings.branches, theirs.headRef) !== undefined)
    return { ignored: `#${issue.number} is a person's, from a branch of ours` };
  const { draft, merged, headRef, headSha, headRepository, baseRef } = theirs;
  const facts = { draft, merged, headRef, headSha, headRepository, baseRef };
  return { ...(await commentedOn(issue, said, context)), theirs: facts };
}

/** Returns the event of a comment, with its command and whether its author may give one. */
async function commentedOn(
  issue: IssueFacts,
  comment: Pick<Commented, "place" | "url" | "body"> & { readonly id: number },
  context: ParseContext,
): Promise<Commented> {
  const { base, mayAsk, tools } = context;
  const event = await withPermission(context);
  const { command, mention } = readComment(comment.body, tools.identity.slug);
  return {
    ...event,
    type: "commented",
    issue,
    commentId: comment.id,
    place: comment.place,
    url: comment.url,
    body: comment.body,
    command,
    mention,
    ...(event.permitted && startsWork(command)
      ? await pullsOfPeople(tools, mayAsk, base.repository, issue)
      : NO_PULLS),
  };
}

function startsWork(command: Command | null): boolean {
  return command?.verb === "start" || command?.verb === "retry";
}
