import { decide } from "../domain/decide.ts";
import type { DomainEvent, DomainEventOf } from "../domain/events/domain-event.ts";
import type { IssueState } from "../domain/kernel/change-set.ts";
import { LostClaim, StaleSnapshot } from "../domain/kernel/errors.ts";
import { plansFromNow } from "../domain/planning/on-plan-label.ts";
import type { Tables } from "../domain/ports/store.ts";
import type { IssueTextRow } from "../domain/ports/work-tables.ts";
import { approvedText } from "../domain/tasks/approved-text.ts";
import { revertedTasks, touchesOf } from "./agents/touches.ts";
import { withBlockers } from "./blockers/blockers.ts";
import { assertUnmoved } from "./events/assert-unmoved.ts";
import { readIssueState } from "./events/issue-state.ts";
import { type Advanced, advance } from "./kernel/advance.ts";
import { note } from "./kernel/advance-agent.ts";
import type { EngineContext } from "./kernel/engine-context.ts";
import { issueStatusOf } from "./merge-queue/agent-statuses.ts";
import { issueOfSprint } from "./planning/plan-notifications.ts";
import { planOf } from "./planning/plan-of.ts";
import { awaitQuestions } from "./questions/await-writing.ts";
import { followReview } from "./review/follow-review.ts";
import { reportFaults } from "./settings/report-faults.ts";
import { withoutForbiddenStarts } from "./settings/repository-limits.ts";

/** How often the decision is repeated when the same records have changed meanwhile. */
const TRIES = 5;

/**
 * Decides about an event of GitHub and saves the moves, wakes, decisions and effects; the delivery is done
 * with them. `claim`: the token by which it was claimed.
 */
export async function handle(context: EngineContext, event: DomainEvent, claim?: string): Promise<Advanced> {
  context.crashPoint("delivery:claimed");
  await context.store.repositories.put(event.repository);
  await context.ownSettings.fresh(event.repository);
  await reportFaults(context, event);
  for (let tried = 1; ; tried += 1)
    try {
      return await decideAndAdvance(context, event, { claim, onlyFresh: tried < TRIES });
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
}

/**
 * Decides and saves. `onlyFresh`: throws `StaleSnapshot` when a record has changed between reading and
 * writing.
 */
async function decideAndAdvance(
  context: EngineContext,
  event: DomainEvent,
  { claim, onlyFresh }: { readonly claim: string | undefined; readonly onlyFresh: boolean },
): Promise<Advanced> {
  const seen = await viewOf(context, event);
  await awaitQuestions(context, event, seen);
  const asksWhy = event.type === "commented" && event.command?.verb === "why";
  const view = asksWhy ? { ...seen, ...(await issueStatusOf(context, seen)) } : seen;
  const { repository } = event;
  const changes = await withBlockers(
    context,
    repository,
    view.issue,
    await withoutForbiddenStarts(context, repository, decide(event, view)),
  );
  const planner = plansFromNow(event, view);
  const touches = await touchesOf(context.store, event, view);
  return advance(context, {
    at: event.at,
    repositoryId: repository.id,
    issue: view.issue,
    delivery: event.delivery,
    claim,
    name: event.delivery,
    ...(event.actor.type === "User" ? { person: event.actor.login } : {}),
    changes,
    gone: event.type === "issue_gone",
    also: async (tables) => {
      const { issueTexts, ledger, replayInputs } = tables;
      const { delivery: guid, at } = event;
      if (onlyFresh) await assertUnmoved(tables, view);
      await replayInputs.begin({
        guid,
        repositoryId: repository.id,
        issue: view.issue,
        at,
        answers: context.recordedResponses(),
      });
      const approved = approvedText(event);
      if (approved !== null) {
        await issueTexts.put(approved);
        await rename(tables, approved);
      }
      await followReview(context, tables, event, view);
      for (const touch of touches) await ledger.touch(touch);
      if (planner !== undefined) await note(tables, planner.id, { planFirst: true });
    },
    ...("issue" in event ? { milestone: event.issue.milestone } : {}),
    ...(event.type === "milestone_changed"
      ? { changedMilestone: { milestone: event.milestone, gone: event.change === "deleted" } }
      : {}),
  });
}

/** Renames the task and the goal of an issue after the title that a person with permission wrote. */
async function rename(tables: Tables, { repositoryId, issue, title }: IssueTextRow): Promise<void> {
  const task = (await tables.records.find("task", { repositoryId, issue })).at(-1);
  if (task !== undefined && task.title !== title) await tables.records.save("task", task, { ...task, title });
  const goal = (await tables.records.find("goal", { repositoryId, issue })).at(-1);
  if (goal !== undefined && goal.title !== title) await tables.records.save("goal", goal, { ...goal, title });
}

/** Marks a delivery that needs no action as ignored, with the reason. */
export async function ignore(
  context: EngineContext,
  guid: string,
  reason: string,
  claim?: string,
): Promise<void> {
  const { store } = context;
  const at = context.clock.now();
  await store.transaction(async ({ deliveries, replayInputs }) => {
    await replayInputs.ignored({ guid, at, answers: context.recordedResponses() });
    if (claim !== undefined && !(await deliveries.settle(guid, claim, "ignored", reason, at)))
      throw new LostClaim(`delivery ${guid}`);
  });
}

async function viewOf(context: EngineContext, event: DomainEvent): Promise<IssueState> {
  if (event.type === "milestone_changed") return viewOfMilestone(context, event);
  if (event.type === "reverted") {
    const [task] = await revertedTasks(context.store, event);
    return { ...(await readIssueState(context, event.repository, task?.issue ?? 0)), task: task ?? null };
  }
  const issue = "issue" in event ? event.issue.number : await issueOf(context, event);
  return readIssueState(context, event.repository, issue);
}

/** Reads the state for a milestone event: that of the issue that represents its sprint, or of none. */
async function viewOfMilestone(
  context: EngineContext,
  { repository, milestone }: DomainEventOf<"milestone_changed">,
): Promise<IssueState> {
  const plan = await planOf(context.store, { repositoryId: repository.id, issue: 0 }, milestone.number);
  const [sprint] = plan.sprints;
  const issue = sprint === undefined ? null : await issueOfSprint(context.store, sprint);
  return { ...(await readIssueState(context, repository, issue ?? 0)), plan };
}

/** Returns the issue of the event's commit or branch; 0 where it concerns none of ours. */
async function issueOf({ store: { records } }: EngineContext, event: DomainEvent): Promise<number> {
  const repositoryId = event.repository.id;
  if ("commit" in event) {
    const [owner] = await records.find("agent", { repositoryId, headCommit: event.commit });
    if (owner !== undefined) return owner.issue;
    // The commit under review may be a person's.
    return (await records.find("task", { repositoryId, reviewCommit: event.commit })).at(-1)?.issue ?? 0;
  }
  if (!("headRef" in event)) return 0;
  const [owner] = await records.find("agent", { repositoryId, branch: event.headRef });
  return owner?.issue ?? 0;
}
