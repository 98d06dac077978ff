import type { Move } from "../../domain/kernel/change-set.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { reviewerRoles } from "../../domain/review/review-due.ts";
import type { ReviewLeaseRecord } from "../../domain/review/review-lease.ts";
import type { VerdictRow } from "../../domain/review/verdict.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { CascadingMoves, StepContext, Stepped } from "../kernel/engine-context.ts";

/**
 * Applies what a task's move means for its review: stores people's verdicts, removes those of another commit,
 * and offers work under review to the next reviewer.
 */
export async function followTask(
  tx: StepContext,
  { before, after, event }: Stepped<TaskRecord, TaskEvent>,
): Promise<readonly CascadingMoves[]> {
  const said = await personsVerdict(tx, after, event);
  const dropped = await droppedBy(tx, after, event);
  const reviewed = reviewerRoles(tx.context.settings).length > 0;
  await publish(
    tx,
    after,
    reviewed ? [...said, ...dropped] : dropped.filter(({ agentId }) => agentId !== null),
  );
  const isUp = after.state === "READY_FOR_REVIEW";
  if (isUp) await offerReview(tx, after, `review:${after.id}:v${after.version}`);
  const isAsked = event.type === "REQUEST_REVIEW" && before?.state !== "READY_FOR_REVIEW";
  if (isUp && (isAsked || before?.reviewCommit !== after.reviewCommit)) await refreshForApprovals(tx, after);
  return isUp || before?.state !== "READY_FOR_REVIEW" ? [] : [() => waitingReviewers(tx, after)];
}

/** Looks for a person's approval of this commit from before it was submitted for review. */
async function refreshForApprovals({ tables, request }: StepContext, task: TaskRecord): Promise<void> {
  const { id, version, repositoryId, issue, assigneeId } = task;
  const coder = assigneeId === null ? undefined : await tables.records.get("agent", assigneeId);
  if (coder === undefined || coder.prNumber === null) return;
  const refresh = issueEffect({ repositoryId, issue, effect: { kind: "look_at_issue" }, at: request.at });
  await tables.effects.add([{ ...refresh, key: `approvals:${id}:v${version}` }]);
}

/** Offers the review again once its lease is free: it may have no verdict yet. */
export async function followLease(tx: StepContext, after: ReviewLeaseRecord): Promise<void> {
  if (after.state !== "FREE") return;
  const task = await tx.tables.records.get("task", after.taskId);
  if (task?.state === "READY_FOR_REVIEW")
    await offerReview(tx, task, `review-lease:${after.id}:v${after.version}`);
}

async function offerReview(tx: StepContext, task: TaskRecord, key: string): Promise<void> {
  if (reviewerRoles(tx.context.settings).length === 0) return;
  const { repositoryId, issue } = task;
  const effect = { kind: "offer_review", asked: null } as const;
  await tx.tables.effects.add([{ ...issueEffect({ repositoryId, issue, effect, at: tx.request.at }), key }]);
}

/** Stores a person's verdict. An agent's verdict is stored, with all its fields, where it is applied. */
async function personsVerdict(
  tx: StepContext,
  task: TaskRecord,
  event: TaskEvent,
): Promise<readonly VerdictRow[]> {
  if ((event.type !== "APPROVE" && event.type !== "REJECT") || event.leaseToken !== null) return [];
  if (task.reviewCommit === null) return [];
  const row = await tx.tables.verdicts.add({
    taskId: task.id,
    agentId: null,
    reviewer: event.type === "APPROVE" ? event.reviewer : event.actor,
    account: event.account,
    commit: task.reviewCommit,
    approves: event.type === "APPROVE",
    body: event.type === "APPROVE" ? "" : event.reason,
    comments: [],
    evidence: [],
    createdAt: tx.request.at,
  });
  return [row];
}

async function droppedBy(
  tx: StepContext,
  task: TaskRecord,
  event: TaskEvent,
): Promise<readonly VerdictRow[]> {
  const { verdicts } = tx.tables;
  switch (event.type) {
    case "NEW_COMMIT": {
      const reviewer = event.dismissed === undefined ? {} : { reviewer: event.dismissed };
      return verdicts.drop(task.id, { keep: task.reviewCommit, ...reviewer });
    }
    case "REQUEST_REVIEW":
      return verdicts.drop(task.id, { keep: task.reviewCommit });
    case "RELEASE":
      return verdicts.drop(task.id, { keep: null });
    default:
      return [];
  }
}

async function publish(
  { tables, request }: StepContext,
  task: TaskRecord,
  rows: readonly VerdictRow[],
): Promise<void> {
  await publishAll(tables, task, { rows, at: request.at });
}

/** Adds the effects that publish verdicts on GitHub in their current state. */
export async function publishAll(
  tables: Pick<Tables, "effects">,
  { repositoryId, issue }: TaskRecord,
  { rows, at }: { readonly rows: readonly VerdictRow[]; readonly at: number },
): Promise<void> {
  await tables.effects.add(
    rows.map(({ id, state }) => ({
      ...issueEffect({ repositoryId, issue, effect: { kind: "publish_verdict", verdict: id }, at }),
      key: `verdict-${id}:${state}`,
    })),
  );
}

/**
 * Returns the moves that cancel reviewers waiting to start: there is nothing left to review. A working reviewer
 * loses its lease instead.
 */
async function waitingReviewers(tx: StepContext, task: TaskRecord): Promise<readonly Move[]> {
  const role = reviewerRoles(tx.context.settings).map(({ name }) => name);
  const { repositoryId, issue } = task;
  const waiting = await tx.tables.records.find("agent", { repositoryId, issue, role, state: "CREATED" });
  const { at } = tx.request;
  const why = `the task is ${task.state}: there is nothing to review`;
  return waiting.map(({ id }) => ({
    machine: "agent",
    id,
    event: { type: "CANCEL", at, actor: "flotilla", why, quiet: true },
  }));
}
