import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { issueLines } from "../../domain/conversation/prompts.ts";
import { untrusted } from "../../domain/conversation/untrusted.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { visibleText } from "../../domain/messages/visible.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { GitHubComment } from "../../domain/ports/github.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { issueForModel } from "./issue-for-model.ts";
import { mayBeRead, trusted } from "./may-be-read.ts";

/** The newest comments that a model is shown of an issue. */
const COMMENTS_SHOWN = 20;

/** An issue as the model reads it: what people without permission wrote is left out, and counted. */
export async function readIssue(
  context: EngineContext,
  agent: AgentRecord,
  number: number,
): Promise<ToolAnswer> {
  return guarded(async () => {
    const repository = await repositoryOf(context, agent.repositoryId);
    const issue = await context.github.issue(repository, number);
    return [
      `#${issue.number} (${issue.state})`,
      `labels: ${untrusted(issue.labels.join(", ")) || "none"}; opened by @${issue.author.login}`,
      "",
      ...issueLines(await issueForModel(context, repository, issue)),
      ...(await comments(context, repository, number)),
    ].join("\n");
  });
}

/** Reads a pull request for the model. Its title and text count as words of its author, like a comment. */
export async function readPullRequest(
  context: EngineContext,
  agent: AgentRecord,
  number: number,
): Promise<ToolAnswer> {
  return guarded(async () => {
    const repository = await repositoryOf(context, agent.repositoryId);
    const pull = await context.github.pullRequest(repository, number);
    const words = (await mayBeRead(context, repository, pull.author))
      ? untrusted(visibleText(`${pull.title}\n\n${pull.body}`))
      : `(Its title and text are not shown: @${pull.author.login} has no write permission.)`;
    return [
      `#${pull.number} (${pull.merged ? "merged" : pull.state}${pull.draft ? ", draft" : ""})`,
      `${untrusted(`${pull.headRef} → ${pull.baseRef}`)}, head ${pull.headSha}`,
      "",
      words,
      ...(await comments(context, repository, number)),
    ].join("\n");
  });
}

async function comments(
  context: EngineContext,
  repository: RepositoryRow,
  number: number,
): Promise<readonly string[]> {
  const { shown, hidden } = await trusted(
    context,
    repository,
    await context.github.comments(repository, number),
  );
  return [
    ...shown.slice(-COMMENTS_SHOWN).map(commentLines),
    ...(hidden === 0
      ? []
      : [`\n(${hidden} comment${hidden === 1 ? "" : "s"} of people without write permission not shown.)`]),
  ];
}

const commentLines = ({ author, createdAt, body }: GitHubComment): string =>
  `\n@${author.login} at ${createdAt}:\n${untrusted(visibleText(body))}`;

async function guarded(read: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { ok: true, text: await read() };
  } catch (error) {
    return { ok: false, text: `It could not be read: ${messageOf(error)}` };
  }
}
