import { approvedText } from "../core/approved-text.ts";
import { StaleSnapshot } from "../core/errors.ts";
import { isLive } from "../core/machines/agent-record.ts";
import type { Occurrence, OccurrenceOf } from "../core/occurrence.ts";
import type { IssueTextRow } from "../core/ports/issue-texts.ts";
import type { Tables } from "../core/ports/store.ts";
import { react } from "../core/react.ts";
import type { View } from "../core/reaction.ts";
import { plansFromNow } from "../core/reactions/on-plan-label.ts";
import { pushersIn } from "../core/reactions/on-push.ts";
import { rejectedBy } from "../core/review/rejected-by.ts";
import type { RepositoryRow } from "../core/rows.ts";
import { type Advanced, advance } from "./advance.ts";
import { withBlockers } from "./blockers.ts";
import type { EngineContext } from "./context.ts";
import { dayBudget } from "./day-budget.ts";
import { waitingFor } from "./held-by.ts";
import { holdsAround } from "./holds-around.ts";
import { spokenOfOn } from "./plan-news.ts";
import { planOf } from "./plan-of.ts";
import { limited } from "./repository-limits.ts";
import { tellFaults } from "./repository-settings/tell-faults.ts";
import { followReview } from "./review/follow-review.ts";
import { note } from "./settle.ts";
import { standsOn } from "./standings.ts";
import { taskOf } from "./surroundings.ts";
import { revertedTasks, touchesOf } from "./touches.ts";

/** How often it is decided again when something else has changed the same records meanwhile. */
const TRIES = 5;

/** How many decisions `/flotilla why` can tell. */
const DECISIONS_SHOWN = 10;
/** So many people who pushed to one branch are told apart at most. */
const PUSHERS = 1_000;

/** What happened on GitHub becomes moves, wakes, decisions and effects; the delivery is done with them. */
export async function handle(context: EngineContext, occurrence: Occurrence): Promise<Advanced> {
  context.crashPoint("delivery:claimed");
  await context.store.repositories.put(occurrence.repository);
  await context.ownSettings.fresh(occurrence.repository);
  await tellFaults(context, occurrence);
  for (let tried = 1; ; tried += 1)
    try {
      return await decide(context, occurrence, tried < TRIES);
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
}

/** `onlyFresh`: throws `StaleSnapshot` when what it decides on has moved before the decision is written. */
async function decide(context: EngineContext, occurrence: Occurrence, onlyFresh: boolean): Promise<Advanced> {
  const seen = await viewOf(context, occurrence);
  const asksWhy = occurrence.type === "commented" && occurrence.command?.verb === "why";
  const view = asksWhy ? { ...seen, stands: await standsOn(context, seen) } : seen;
  const { repository } = occurrence;
  const reaction = await withBlockers(
    context,
    repository,
    view.issue,
    await limited(context, repository, react(occurrence, view)),
  );
  const planner = plansFromNow(occurrence, view);
  const touches = await touchesOf(context.store, occurrence, view);
  return advance(context, {
    at: occurrence.at,
    repositoryId: repository.id,
    issue: view.issue,
    delivery: occurrence.delivery,
    name: occurrence.delivery,
    reaction,
    gone: occurrence.type === "issue_gone",
    also: async (tables) => {
      const { issueTexts, ledger, grounds } = tables;
      const { delivery: guid, at } = occurrence;
      if (onlyFresh) await assertUnmoved(tables, view);
      await grounds.begin({
        guid,
        repositoryId: repository.id,
        issue: view.issue,
        at,
        answers: context.heard(),
      });
      const approved = approvedText(occurrence);
      if (approved !== null) {
        await issueTexts.put(approved);
        await rename(tables, approved);
      }
      await followReview(context, tables, occurrence, view);
      for (const touch of touches) await ledger.touch(touch);
      if (planner !== undefined) await note(tables, planner.id, { planFirst: true });
    },
    ...("issue" in occurrence ? { milestone: occurrence.issue.milestone } : {}),
    ...(occurrence.type === "milestone_changed"
      ? { changedMilestone: { milestone: occurrence.milestone, gone: occurrence.change === "deleted" } }
      : {}),
  });
}

/** The record of what was known is written here, and must show what the decision was made on. */
async function assertUnmoved(
  { records }: Tables,
  { repositoryId, issue, agents, task }: View,
): Promise<void> {
  const now = await records.find("agent", { repositoryId, issue });
  const moved = now.find(({ id, state, token }, index) => {
    const seen = agents[index];
    return seen?.id !== id || seen.state !== state || seen.token !== token;
  });
  if (moved !== undefined) throw new StaleSnapshot("agent", moved.id);
  if (task === null) return;
  const known = await records.get("task", task.id);
  if (known?.state !== task.state || known.reviewCommit !== task.reviewCommit)
    throw new StaleSnapshot("task", task.id);
}

/** Its task and the goal that it tracks are called as the issue is now, in the words of somebody who may steer. */
async function rename(tables: Tables, { repositoryId, issue, title }: IssueTextRow): Promise<void> {
  const task = (await tables.records.find("task", { repositoryId, issue })).at(-1);
  if (task !== undefined && task.title !== title) await tables.records.save("task", task, { ...task, title });
  const goal = (await tables.records.find("goal", { repositoryId, issue })).at(-1);
  if (goal !== undefined && goal.title !== title) await tables.records.save("goal", goal, { ...goal, title });
}

/** A delivery that asks nothing of us; the reason is kept. */
export async function ignore(context: EngineContext, delivery: string, reason: string): Promise<void> {
  const { store } = context;
  const at = context.clock.now();
  await store.transaction(async ({ deliveries, grounds }) => {
    await grounds.ignored({ guid: delivery, at, answers: context.heard() });
    await deliveries.settle(delivery, "ignored", reason, at);
  });
}

async function viewOf(context: EngineContext, occurrence: Occurrence): Promise<View> {
  const repositoryId = occurrence.repository.id;
  if (occurrence.type === "milestone_changed") return viewOfMilestone(context, occurrence);
  if (occurrence.type === "reverted") {
    const [task] = await revertedTasks(context.store, occurrence);
    return { ...(await viewOfIssue(context, occurrence.repository, task?.issue ?? 0)), task: task ?? null };
  }
  const issue =
    "issue" in occurrence
      ? occurrence.issue.number
      : await issueOf(
          context,
          "commit" in occurrence
            ? { repositoryId, headCommit: occurrence.commit }
            : { repositoryId, branch: occurrence.headRef },
        );
  return viewOfIssue(context, occurrence.repository, issue);
}

/** Filed under the issue on which its sprint is spoken of, or under none. */
async function viewOfMilestone(
  context: EngineContext,
  { repository, milestone }: OccurrenceOf<"milestone_changed">,
): Promise<View> {
  const plan = await planOf(context.store, { repositoryId: repository.id, issue: 0 }, milestone.number);
  const [sprint] = plan.sprints;
  const issue = sprint === undefined ? null : await spokenOfOn(context.store, sprint);
  return { ...(await viewOfIssue(context, repository, issue ?? 0)), plan };
}

/** What is known of an issue, for whoever decides about it. */
export async function viewOfIssue(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<View> {
  const { store } = context;
  const repositoryId = repository.id;
  const agents = await store.records.find("agent", { repositoryId, issue });
  const waiting = agents.filter(({ state }) => state === "SLEEPING" || state === "ESCALATED");
  const asked = await Promise.all(waiting.map(({ id, token }) => store.approvals.asked(id, token)));
  const { held, asleep } = await waitingFor(context, repository, issue);
  const at = context.clock.now();
  const spent = await dayBudget(context, store, { repositoryId, agentId: 0, starts: true, at });
  const task = (await taskOf(store, repositoryId, issue)) ?? null;
  const verdicts = task === null ? [] : await store.verdicts.ofTask(task.id);
  return {
    settings: context.settingsOf(repositoryId),
    repositoryId,
    private: repository.private,
    issue,
    agents,
    held,
    waiting: asleep,
    task,
    rejectedBy: rejectedBy(verdicts, task?.reviewCommit ?? null),
    asked: asked.flat(),
    questions: await store.questions.ofAgents(agents.filter(isLive).map(({ id }) => id)),
    decisions: await store.decisions.ofIssue(repositoryId, issue, DECISIONS_SHOWN),
    pushers: pushersIn(await store.decisions.foreignCommits(repositoryId, issue, PUSHERS)),
    daySpent: spent.map(({ limit }) => limit),
    plan: await planOf(store, { repositoryId, issue }),
    stands: [],
    around: await holdsAround(context, store, { repositoryId, issue }),
  };
}

/** 0 for a branch or commit that no agent of ours has. */
async function issueOf(
  context: EngineContext,
  owned: { readonly repositoryId: number } & ({ readonly branch: string } | { readonly headCommit: string }),
): Promise<number> {
  const { records } = context.store;
  const [owner] = await records.find("agent", owned);
  if (owner !== undefined || !("headCommit" in owned)) return owner?.issue ?? 0;
  // A person's commit may be under review.
  const { repositoryId, headCommit: reviewCommit } = owned;
  return (await records.find("task", { repositoryId, reviewCommit })).at(-1)?.issue ?? 0;
}
