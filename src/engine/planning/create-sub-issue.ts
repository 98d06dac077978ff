import { fullName } from "../../domain/kernel/repository.ts";
import { draftsPart } from "../../domain/planning/sub-issue.ts";
import { baseRefused, chooseBase } from "../../domain/tasks/base-branch.ts";
import { readBlockers, withReported } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { succeedsUnless } from "../outbox/succeeds-unless.ts";
import { coderFor } from "./sub-issues.ts";

/**
 * Opens a sub-issue of the planner's issue, or adopts the one that carries the name, and writes its
 * dependencies. The settled effect creates a draft task and a coder that waits for it.
 */
export const createSubIssue: Executor<"create_sub_issue"> = async (execution) => {
  const { context, repository, row, effect } = execution;
  const { github } = context;
  const parent = agentOf(execution);
  const { name: key, title, body, after } = effect;
  // A sub-issue of a sprint's issue joins the sprint, so that a stop covers both.
  const whole = await github.issue(repository, row.issue);
  const milestone = whole.milestone?.number;
  const issue = await github.createIssue(repository, { key, title, body, milestone });
  const part = await succeedsUnless("unsupported", () =>
    github.addSubIssue(repository, row.issue, issue.number),
  );
  for (const blocker of after)
    await succeedsUnless("unsupported", () => github.addBlockedBy(repository, issue.number, blocker));
  const read = await readBlockers(context, repository, issue.number);
  const home = fullName(repository);
  // On a server without dependencies the order is kept here.
  const ordered = after.reduce((known, number) => withReported(known, { repository: home, number }), read);
  const role = coderFor(context.settingsOf(repository.id), effect.role);
  const view = await readIssueState(context, repository, issue.number);
  const when = { at: context.clock.now(), actor: "agent", title, parent };
  // A part goes where the whole would go.
  const chosen = chooseBase(view, whole);
  const begins = role !== undefined && issue.state === "open";
  return {
    result: { number: issue.number, state: issue.state, part },
    also: (tables) => tables.blockers.put(ordered),
    changes:
      "fault" in chosen
        ? baseRefused(chosen)
        : { moves: begins ? draftsPart(role, view, { ...when, ...chosen }) : [] },
  };
};
