import { z } from "zod";
import { type Command, readComment } from "../../core/command.ts";
import type { IssueFacts } from "../../core/occurrence.ts";
import { fullName } from "../../core/repository.ts";
import { branchIssue } from "../../core/text/branch-name.ts";
import { commentShape, issueShape } from "../payload.ts";
import { personPull } from "../pulls-of-issue.ts";
import { type Ignored, reader, type Scene, unheard } from "./reading.ts";

const shape = z.object({ issue: issueShape, comment: commentShape });

/** A comment on an issue, or on one of our pull requests, where it is about that one's issue. */
export const issueCommentCreated = reader(shape, async ({ issue: commented, comment }, scene) => {
  const deaf = unheard(scene);
  if (deaf !== undefined) return deaf;
  const { base, tools } = scene;
  const issue = commented.isPullRequest ? await issueOfPull(commented, scene) : commented;
  if ("ignored" in issue) return issue;
  const permitted = await scene.mayAsk(base.repository, base.actor);
  const { command, mention } = readComment(comment.body, tools.identity.slug);
  return {
    ...base,
    permitted,
    type: "commented",
    issue,
    commentId: comment.id,
    url: comment.url,
    body: comment.body,
    command,
    mention,
    personPull:
      permitted && startsWork(command)
        ? await personPull({ ...tools, botId: tools.identity.botId }, base.repository, issue.number)
        : null,
  };
});

async function issueOfPull(
  pull: Pick<IssueFacts, "number" | "author">,
  { base: { repository }, tools }: Scene,
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

function startsWork(command: Command | null): boolean {
  return command?.verb === "start" || command?.verb === "retry";
}
