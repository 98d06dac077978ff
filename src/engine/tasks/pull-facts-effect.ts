import { renewedBody } from "../../domain/tasks/pull-facts.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { pullFactsOf } from "./pull-facts.ts";

/**
 * Renews the host's facts in the body of the agent's pull request and changes nothing else; skips a closed
 * one.
 */
export const pullFacts: Executor<"pull_facts"> = async (execution) => {
  const { context, repository } = execution;
  const agent = agentOf(execution);
  if (agent.prNumber === null) return { result: { written: false } };
  const { github } = context;
  const files = await github.pullRequestFiles(repository, agent.prNumber);
  const facts = await pullFactsOf(context, repository, agent, files);
  // Read right before the write, so that little can change in between.
  const pull = await github.pullRequest(repository, agent.prNumber);
  const body = pull.state === "open" ? renewedBody(pull.body, facts) : null;
  if (body !== null) await github.setPullRequestBody(repository, pull.number, body);
  return { result: { written: body !== null } };
};
