import { type AgentPage, withPageLink } from "../../domain/agents/agent-page.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { riskAboveOf, riskInCheck } from "../../domain/merge-queue/risk-above.ts";
import { checkOf, reviewEvent } from "../../domain/review/published.ts";
import type { VerdictRow } from "../../domain/review/verdict.ts";
import { reviewText } from "../../domain/review/verdict-text.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { pageOfAgent } from "../kernel/page-of-agent.ts";
import type { Execution, Executor } from "../outbox/execution.ts";

type Publishing = Execution<"publish_verdict">;

/**
 * Publishes a verdict on GitHub: the state of the review as the commit's check run, and an agent's verdict as
 * a review of the pull request. A void verdict is not published, and is marked as void where it was.
 */
export const publishVerdict: Executor<"publish_verdict"> = async (execution) => {
  const { context, effect, repository } = execution;
  const { store, github } = context;
  const { review: ruled } = context.settingsOf(repository.id);
  const verdict = await store.verdicts.get(effect.verdict);
  const task = verdict === undefined ? undefined : await store.records.get("task", verdict.taskId);
  if (verdict === undefined || task === undefined) return { result: null };
  const all = await store.verdicts.ofTask(task.id);
  const page = await pageOfAgent(context, repository, verdict.agentId ?? task.assigneeId);
  const risk = riskAboveOf(task);
  const more = risk?.commit === verdict.commit ? riskInCheck(risk) : null;
  const shown = { needed: ruled.reviewers, detailsUrl: page?.url ?? null, more };
  const check = await github.putCheck(repository, checkOf(verdict, all, shown));
  const isReview = verdict.state === "current" && effect.onlyCheck !== true;
  const review = isReview ? await writeReview(execution, verdict, { task, page }) : null;
  return { result: { check: check?.id ?? null, review: review?.id ?? null } };
};

async function writeReview(
  { context, repository, row }: Publishing,
  verdict: VerdictRow,
  { task, page }: { readonly task: TaskRecord; readonly page: AgentPage | null },
) {
  const { store, github, identity, site } = context;
  // A person's verdict is on GitHub already.
  if (verdict.agentId === null || task.assigneeId === null) return null;
  const coder = await store.records.get("agent", task.assigneeId);
  if (!coder || coder.prNumber === null) return null;
  const reach = { site, repository: fullName(repository) };
  const pull = await github.pullRequest(repository, coder.prNumber);
  return github.writeReview(repository, pull.number, {
    key: row.key,
    event: reviewEvent(verdict, pull.author.id === identity.botId),
    commit: verdict.commit,
    body: withPageLink(reviewText(verdict, { ...reach, all: false }), page),
    comments: verdict.comments.flatMap(({ path, line, body, inline }) =>
      inline && line !== null ? [{ path, line, body }] : [],
    ),
    bodyWithComments: withPageLink(reviewText(verdict, { ...reach, all: true }), page),
  });
}
