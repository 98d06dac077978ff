import { reaches } from "../../domain/access/permission.ts";
import { withPageLink } from "../../domain/agents/agent-page.ts";
import { knownPermission } from "../../domain/events/account.ts";
import { type ChangeSet, decisionOnly, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubReaction } from "../../domain/ports/github.ts";
import { answers } from "../../domain/questions/on-answer.ts";
import { isAnswerable, type QuestionRow, questionKey } from "../../domain/questions/question.ts";
import { questionComment as render } from "../../domain/questions/question-comment.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { pageOfAgent } from "../kernel/page-of-agent.ts";
import type { Executor } from "../outbox/execution.ts";
import { isForPerson } from "../outbox/is-for-person.ts";

/**
 * Writes the question's comment from its current state. Reads its reactions too, because GitHub sends no
 * webhook for them.
 */
export const questionComment: Executor<"question_comment"> = async ({ context, repository, row, effect }) => {
  const question = await context.store.questions.get(effect.question);
  if (question === undefined) throw new Error(`there is no question ${effect.question}`);
  const role = (await context.store.records.get("agent", question.agentId))?.role ?? "The agent";
  const page = await pageOfAgent(context, repository, question.agentId);
  const comment = await context.github.putComment(repository, row.issue, {
    key: questionKey(question.id),
    body: withPageLink(render(role, question), page),
    knownId: question.commentId ?? undefined,
    forPerson: await isForPerson(context.store, row),
  });
  return {
    result: { id: comment.id },
    also: (tables) => tables.questions.written(question.id, comment.id),
    changes:
      question.commentId === comment.id
        ? await answerByReaction(context, repository, question, comment)
        : NO_CHANGES,
  };
};

/** Returns the recommended option when a person who may answer has reacted in favour. */
async function answerByReaction(
  context: EngineContext,
  repository: RepositoryRow,
  question: QuestionRow,
  comment: { readonly id: number; readonly url: string },
): Promise<ChangeSet> {
  const { recommended } = question;
  if (recommended === null || !isAnswerable(question)) return NO_CHANGES;
  const all = await context.github.reactions(repository, comment.id);
  const thumbs = all.filter(({ content }) => content === "+1").map(({ user }) => user);
  for (const user of thumbs)
    if (await mayAnswer(context, repository, user))
      return answers(question, { text: recommended, by: user.login, url: comment.url }, "reaction");
  const [stranger] = thumbs;
  return stranger === undefined
    ? NO_CHANGES
    : decisionOnly(
        "not_permitted",
        `@${stranger.login} reacts to a question and has no write permission here`,
        {
          agentId: question.agentId,
          change: "a person with write permission answers",
        },
      );
}

async function mayAnswer(
  { github, settings }: EngineContext,
  repository: RepositoryRow,
  user: GitHubReaction["user"],
): Promise<boolean> {
  const { bots, whoMayCommand } = settings.policy;
  const permission = knownPermission(user, bots);
  return permission === "ask"
    ? reaches(await github.permission(repository, user), whoMayCommand)
    : permission === "may";
}
