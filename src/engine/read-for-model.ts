import { standingOf } from "../core/account.ts";
import { messageOf } from "../core/errors.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import { reaches } from "../core/permission.ts";
import type { ToolAnswer } from "../core/ports/agent-runtime.ts";
import type { Account, GitHubComment } from "../core/ports/github.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";
import { repositoryOf } from "./repository-of.ts";

/** The newest comments that a model is shown of an issue. */
const COMMENTS_SHOWN = 20;

/** An issue as the model reads it: comments of people without permission are left out, and counted. */
export async function readIssue(
  context: EngineContext,
  agent: AgentRecord,
  number: number,
): Promise<ToolAnswer> {
  return guarded(async () => {
    const repository = await repositoryOf(context, agent.repositoryId);
    const issue = await context.github.issue(repository, number);
    const { shown, hidden } = await trusted(
      context,
      repository,
      await context.github.comments(repository, number),
    );
    return [
      `#${issue.number} ${issue.title} (${issue.state})`,
      `labels: ${issue.labels.join(", ") || "none"}; opened by @${issue.author.login}`,
      "",
      issue.body,
      ...shown
        .slice(-COMMENTS_SHOWN)
        .map((comment) => `\n@${comment.author.login} at ${comment.createdAt}:\n${comment.body}`),
      ...(hidden === 0 ? [] : [`\n(${hidden} comments of people without write permission are not shown.)`]),
    ].join("\n");
  });
}

export async function readPullRequest(
  context: EngineContext,
  agent: AgentRecord,
  number: number,
): Promise<ToolAnswer> {
  return guarded(async () => {
    const repository = await repositoryOf(context, agent.repositoryId);
    const pull = await context.github.pullRequest(repository, number);
    const { shown } = await trusted(context, repository, await context.github.comments(repository, number));
    return [
      `#${pull.number} ${pull.title} (${pull.merged ? "merged" : pull.state}${pull.draft ? ", draft" : ""})`,
      `${pull.headRef} → ${pull.baseRef}, head ${pull.headSha}`,
      "",
      pull.body,
      ...shown
        .slice(-COMMENTS_SHOWN)
        .map((comment) => `\n@${comment.author.login} at ${comment.createdAt}:\n${comment.body}`),
    ].join("\n");
  });
}

/** Those that a model may be shown, and how many others there are. */
export async function trusted<Comment extends GitHubComment>(
  context: EngineContext,
  repository: RepositoryRow,
  comments: readonly Comment[],
): Promise<{ shown: readonly Comment[]; hidden: number }> {
  if (context.settings.policy.readUntrusted) return { shown: comments, hidden: 0 };
  const shown: Comment[] = [];
  for (const comment of comments)
    if (await mayBeRead(context, repository, comment.author)) shown.push(comment);
  return { shown, hidden: comments.length - shown.length };
}

async function mayBeRead(
  context: EngineContext,
  repository: RepositoryRow,
  author: Account,
): Promise<boolean> {
  const { bots, whoMayCommand } = context.settings.policy;
  const standing = standingOf(author, [...bots, context.identity.botId]);
  return standing === "ask"
    ? reaches(await context.github.permission(repository, author), whoMayCommand)
    : standing === "may";
}

async function guarded(read: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { ok: true, text: await read() };
  } catch (error) {
    return { ok: false, text: `It could not be read: ${messageOf(error)}` };
  }
}
