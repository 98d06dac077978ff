import { decided, joined, NOTHING } from "../../core/reaction.ts";
import { revives } from "../../core/reactions/steer.ts";
import { isSecondDue, secondAttemptAt } from "../../core/second-attempt.ts";
import { withBlockers } from "../blockers.ts";
import { viewOfIssue } from "../handle.ts";
import { limited } from "../repository-limits.ts";
import { stormLimit } from "../storm.ts";
import { agentOf, type Executor } from "./execution.ts";

/** Makes the one new attempt after a failure; what holds up every start holds it up too, with its decision. */
export const offerAttempt: Executor<"offer_attempt"> = async (execution) => {
  const { context, repository, row } = execution;
  const failed = agentOf(execution);
  const view = await viewOfIssue(context, repository, row.issue);
  if (!isSecondDue(failed, view.task, view.agents)) return { result: null };
  const issue = await context.github.issue(repository, row.issue);
  const at = context.clock.now();
  const birth = { repositoryId: repository.id, issue: row.issue, parentAgentId: null };
  const storm = await stormLimit(view.settings.storm, context.store, birth, at);
  const pulls = await context.pullsOfPeople({ ...context, settings: view.settings }, repository, issue);
  const cause = { at, actor: "flotilla", issue, ...pulls, why: "" };
  const revived = revives(failed, view, cause, secondAttemptAt(at, storm)) ?? NOTHING;
  const told =
    storm === null || revived.moves.length === 0
      ? NOTHING
      : decided("storm", storm, {
          change: "a new attempt starts automatically in an hour; `/flotilla retry` starts it now",
          shown: true,
        });
  const reaction = await limited(context, repository, joined(revived, told));
  return { result: { storm }, reaction: await withBlockers(context, repository, row.issue, reaction) };
};
