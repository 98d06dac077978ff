import { isLive } from "../../domain/agents/agent-record.ts";
import { resumes } from "../../domain/agents/own-wake.ts";
import {
  type BackfilledDelivery,
  lostComments,
  newBackfilledDelivery,
} from "../../domain/backfill/backfilled-delivery.ts";
import { type Known, mayHaveMissed, missedByIssue } from "../../domain/backfill/missed-by-issue.ts";
import {
  mayHaveMissedPull,
  mayHaveMissedReview,
  missedByPull,
  missedReviews,
  type SeenPull,
} from "../../domain/backfill/missed-by-pull.ts";
import { missedDismissals } from "../../domain/backfill/missed-dismissals.ts";
import { missedMilestone } from "../../domain/backfill/missed-milestone.ts";
import { type ChangeSet, mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { QUIET_MS } from "../../domain/kernel/effect.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import type { GitHubPullRequest } from "../../domain/ports/github-changes.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { SeenPullRow } from "../../domain/ports/work-tables.ts";
import { showsFirstWork } from "../../domain/tasks/state-label.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import type { Executor } from "../outbox/execution.ts";
import { reviewMayBeDue } from "../review/may-be-due.ts";
import { labelsDue } from "../tasks/task-label.ts";
import { isBackfilled, readIssueOrGone } from "./seen-issue.ts";

/** How many of the issue's decisions are searched for events that were handled. */
const DECISIONS = 50;

/**
 * Reads an issue and the pull requests of its agents, and inserts into the inbox each webhook that was
 * missed. Asks GitHub what happened only where its state differs from our records.
 */
export const refreshIssue: Executor<"look_at_issue"> = async ({ context, repository, row, effect }) => {
  const seen = await readIssueOrGone(context, repository, row.issue);
  const missed = isBackfilled(seen)
    ? [seen]
    : [
        ...(effect.lost === undefined
          ? []
          : lostComments(seen, await context.github.comments(repository, row.issue), effect.lost)),
        ...(seen.isPullRequest
          ? []
          : [
              ...(await ofIssue(context, repository, seen)),
              ...(await ofMilestone(context, seen, repository)),
            ]),
        ...(await ofPulls(context, repository, row.issue)),
      ];
  const label = isBackfilled(seen) ? NO_CHANGES : await labelPutRight(context, repository, seen);
  const due = await reviewMayBeDue(context, repository.id, row.issue);
  const offer: ChangeSet = { ...NO_CHANGES, effects: due ? [{ kind: "offer_review", asked: null }] : [] };
  return {
    changes: mergeChanges({ ...NO_CHANGES, ...label }, offer),
    result: { told: missed.map(({ event, action, name }) => `${event}.${action} ${name}`) },
    also: (tables) => {
      const at = context.clock.now();
      return tables.deliveries.insert(missed.map((retold) => newBackfilledDelivery(repository, retold, at)));
    },
  };
};

/**
 * Returns the label effect where the issue's labels differ from what they should be, whether a person changed
 * them or a write failed.
 */
async function labelPutRight(
  context: EngineContext,
  repository: RepositoryRow,
  issue: Pick<GitHubIssue, "number" | "labels">,
): Promise<Partial<ChangeSet>> {
  const change = await labelsDue(context, repository, issue);
  if (change.add.length === 0 && change.remove.length === 0) return NO_CHANGES;
  const later = showsFirstWork(change) ? { notBefore: context.clock.now() + QUIET_MS } : {};
  return { effects: [{ kind: "task_label", ...later }] };
}

/**
 * Reads what is known now. Called after GitHub was read, so that events handled meanwhile count as handled.
 */
async function knownOf(
  { store, settings, identity }: EngineContext,
  { id: repositoryId }: RepositoryRow,
  issue: number,
): Promise<Known> {
  const agents = await store.records.find("agent", { repositoryId, issue });
  const escalated = agents.filter(({ state }) => state === "ESCALATED");
  const continues = await Promise.all(
    escalated.map(async (agent) =>
      (await store.wakes.pending(agent.id)).some(({ reason }) => resumes(agent, reason)),
    ),
  );
  const task = (await taskOf(store, repositoryId, issue)) ?? null;
  return {
    agents,
    task,
    given: task === null ? [] : await givenFor(store, task),
    decisions: await store.decisions.ofIssue(repositoryId, issue, DECISIONS),
    resuming: new Set(escalated.flatMap(({ id }, index) => (continues[index] ? [id] : []))),
    escalationLabel: settings.escalation.label,
    botId: identity.botId,
  };
}

/** Returns the verdicts on the commit under review. */
async function givenFor(
  { verdicts }: Pick<Tables, "verdicts">,
  { id, reviewCommit }: TaskRecord,
): Promise<Known["given"]> {
  return (await verdicts.ofTask(id)).filter(({ commit }) => commit === reviewCommit);
}

async function ofIssue(
  context: EngineContext,
  repository: RepositoryRow,
  issue: Parameters<typeof missedByIssue>[0],
): Promise<readonly BackfilledDelivery[]> {
  const { number } = issue;
  if (!mayHaveMissed(issue, await knownOf(context, repository, number))) return [];
  const events = await context.github.events(repository, number);
  return missedByIssue(issue, events, await knownOf(context, repository, number));
}

async function ofMilestone(
  { store }: EngineContext,
  issue: GitHubIssue,
  { id: repositoryId }: RepositoryRow,
): Promise<readonly BackfilledDelivery[]> {
  const task = (await taskOf(store, repositoryId, issue.number)) ?? null;
  const sprint = typeof task?.sprintId === "number" ? await store.records.get("sprint", task.sprintId) : null;
  return missedMilestone(issue, task, sprint ?? null);
}

/**
 * Returns the missed events of pull requests of live agents and of the last coder, whose work may still be
 * under review.
 */
async function ofPulls(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<readonly BackfilledDelivery[]> {
  const { agents } = await knownOf(context, repository, issue);
  const last = agents.findLast(({ coder }) => coder);
  const numbers = agents
    .filter((agent) => isLive(agent) || agent === last)
    .flatMap(({ prNumber }) => prNumber ?? []);
  const all = await Promise.all(
    [...new Set(numbers)].map((pull) => ofPull(context, repository, issue, pull)),
  );
  return all.flat();
}

function seenPullOf({ id: repositoryId }: RepositoryRow, pull: GitHubPullRequest): SeenPullRow {
  const { number, createdAt, asked, changedLines = null } = pull;
  return { repositoryId, pull: number, openedAt: Date.parse(createdAt), changedLines, asked };
}

async function ofPull(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
  number: number,
): Promise<readonly BackfilledDelivery[]> {
  const { github } = context;
  const seen: SeenPull = { repository, pull: await github.pullRequest(repository, number) };
  await context.store.seenPulls.put(seenPullOf(repository, seen.pull));
  const known = await knownOf(context, repository, issue);
  const events = mayHaveMissedPull(seen, known) ? await github.events(repository, number) : [];
  const reviews = mayHaveMissedReview(seen, known) ? await github.reviews(repository, number) : [];
  const now = await knownOf(context, repository, issue);
  return [
    ...missedByPull(seen, events, now),
    ...missedDismissals(seen, reviews, now),
    ...missedReviews(seen, reviews, now),
  ];
}
