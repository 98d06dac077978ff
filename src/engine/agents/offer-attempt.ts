import { revives } from "../../domain/commands/steer.ts";
import { decisionOnly, mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { isSecondDue, secondAttemptAt } from "../../domain/tasks/second-attempt.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { stormLimit } from "../breakers/storm.ts";
import { readIssueState } from "../events/issue-state.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { withoutForbiddenStarts } from "../settings/repository-limits.ts";

/**
 * Starts the one new attempt after a failure. Everything that can delay a start delays this one too, with its
 * decision.
 */
export const offerAttempt: Executor<"offer_attempt"> = async (execution) => {
  const { context, repository, row } = execution;
  const failed = agentOf(execution);
  const view = await readIssueState(context, repository, row.issue);
  if (!isSecondDue(failed, view.task, view.agents)) return { result: null };
  const issue = await context.github.issue(repository, row.issue);
  const at = context.clock.now();
  const newAgent = { repositoryId: repository.id, issue: row.issue, parentAgentId: null };
  const storm = await stormLimit(view.settings.storm, context.store, newAgent, at);
  const pulls = await context.pullsOfPeople({ ...context, settings: view.settings }, repository, issue);
  const cause = { at, actor: "flotilla", issue, ...pulls, why: "" };
  const revived = revives(failed, view, cause, secondAttemptAt(at, storm)) ?? NO_CHANGES;
  const told =
    storm === null || revived.moves.length === 0
      ? NO_CHANGES
      : decisionOnly("storm", storm, {
          change: "a new attempt starts automatically in an hour; `/flotilla retry` starts it now",
          shown: true,
        });
  const changes = await withoutForbiddenStarts(context, repository, mergeChanges(revived, told));
  return { result: { storm }, changes: await withBlockers(context, repository, row.issue, changes) };
};
