import { withPageLink } from "../../domain/agents/agent-page.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { pullReviewText } from "../../domain/review/pull-review-text.ts";
import { readIntent } from "../blockers/check-block-report.ts";
import { pageOfAgent } from "../kernel/page-of-agent.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";

/**
 * Writes a reviewer's verdict on a person's pull request as a review that only comments, whatever the verdict is: it never
 * approves, and never holds the pull request up. Writes nothing once the pull request has ended.
 */
export const publishReview: Executor<"publish_review"> = async (execution) => {
  const { context, repository, row } = execution;
  const agent = agentOf(execution);
  const { store, github, site } = context;
  const recorded = await store.intents.verdict(agent.id);
  const given = recorded === undefined ? null : readIntent(recorded);
  if (given?.kind !== "submit_verdict") return { result: { review: null } };
  const pull = await github.pullRequest(repository, agent.issue);
  if (pull.state === "closed") return { result: { review: null } };
  const page = await pageOfAgent(context, repository, agent.id);
  const text = (all: boolean) =>
    withPageLink(
      pullReviewText(
        { role: agent.role, given },
        { all, site, repository: fullName(repository), head: pull.headSha },
      ),
      page,
    );
  const review = await github.writeReview(repository, pull.number, {
    key: row.key,
    event: "COMMENT",
    commit: given.commit,
    body: text(false),
    comments: given.comments.flatMap(({ path, line, body, inline }) =>
      inline && line !== null ? [{ path, line, body }] : [],
    ),
    bodyWithComments: text(true),
  });
  return { result: { review: review.id } };
};
