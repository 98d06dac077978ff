import { GitHubError } from "../../core/errors.ts";
import type { GitHubIssue } from "../../core/ports/github.ts";
import { blockerWake } from "../../core/reactions/blocker-wake.ts";
import { fullName } from "../../core/repository.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";
import { waitingFor } from "../held-by.ts";
import { repositoryOf } from "../repository-of.ts";
import { agentOf, type Executor } from "./execution.ts";

/**
 * A blocker that was closed while its sleeper fell asleep would be missed otherwise; the wake's key makes it one. Of all
 * that wait for it one asks, and the answer is everybody's. One that cannot be seen any more was deleted, moved or taken
 * from us, and would never be closed for us.
 */
export const recheckBlocker: Executor<"recheck_blocker"> = async (execution) => {
  const { context, effect } = execution;
  const agent = agentOf(execution);
  const { blocker, repositoryId = agent.repositoryId } = effect;
  const repository = await repositoryOf(context, repositoryId);
  const waits =
    repositoryId === agent.repositoryId
      ? agent.blockedBy.includes(blocker)
      : agent.blockedElsewhere.some((one) => one.repositoryId === repositoryId && one.number === blocker);
  if (agent.state !== "SLEEPING" || !waits) return { result: null };
  const how = howClosed(await issueIn(context, repository, blocker));
  if (how === null) return { result: { state: "open" } };
  const { asleep } = await waitingFor(context, repository, blocker);
  const others = asleep.filter(({ id, state }) => id !== agent.id && state === "SLEEPING");
  const at = context.clock.now();
  const issue = { repository: fullName(repository), number: blocker };
  return {
    result: { state: "closed" },
    reaction: { wakes: [agent, ...others].map((one) => blockerWake(one, issue, how, { repository, at })) },
  };
};

async function issueIn(
  { github }: EngineContext,
  repository: RepositoryRow,
  number: number,
): Promise<GitHubIssue | null> {
  try {
    return await github.issue(repository, number);
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return null;
    throw error;
  }
}

/** Null for one that is open. */
function howClosed(issue: GitHubIssue | null): string | null {
  if (issue === null) return "deleted, moved, or put where Flotilla cannot see it";
  if (issue.state === "open") return null;
  return issue.stateReason === "not_planned" ? "closed as not planned" : "closed";
}
