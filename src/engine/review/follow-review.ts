import type { DomainEvent } from "../../domain/events/domain-event.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isOfEarlier } from "../../domain/review/on-reviewed.ts";
import { reviewerRoles } from "../../domain/review/review-due.ts";
import { personAs } from "../../domain/review/reviewer.ts";
import type { VerdictRow } from "../../domain/review/verdict.ts";
import { isOfWork, type TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { publishAll } from "./follow-moves.ts";

/**
 * Stores requests for changes to the work that was last under review, when no move of the task stores them:
 * a second request stands beside the first. The author's approval or a dismissal takes a request back.
 */
export async function followReview(
  { settings }: EngineContext,
  tables: Tables,
  event: DomainEvent,
  view: Pick<IssueState, "agents" | "task">,
): Promise<void> {
  const { task } = view;
  if (task === null || ("headRef" in event && isOfEarlier(event, view))) return;
  const changed = await changedBy(tables, event, task);
  if (reviewerRoles(settings).length > 0) await publishAll(tables, task, { rows: changed, at: event.at });
}

async function changedBy(
  { verdicts }: Tables,
  event: DomainEvent,
  task: TaskRecord,
): Promise<readonly VerdictRow[]> {
  const { id: taskId, state, reviewCommit: commit } = task;
  if (commit === null || !("reviewedCommit" in event)) return [];
  const { reviewedCommit } = event;
  if (event.type === "review_dismissed")
    return reviewedCommit === null || isOfWork(task, reviewedCommit)
      ? verdicts.lift(taskId, { reviewer: personAs(event.reviewer), commit })
      : [];
  if (!event.permitted || event.ended !== null || !isOfWork(task, reviewedCommit)) return [];
  const reviewer = personAs(event.actor);
  if (event.verdict === "approved") return verdicts.lift(taskId, { reviewer, commit });
  if (event.verdict !== "changes_requested" || !TAKEN_BACK.includes(state)) return [];
  const { at: createdAt, body } = event;
  const said = { agentId: null, ...reviewer, commit, approves: false, body, comments: [], evidence: [] };
  return [await verdicts.add({ taskId, ...said, createdAt })];
}

/** States from which a request for changes moves no task; in all others its move stores it. */
const TAKEN_BACK: readonly TaskRecord["state"][] = ["REJECTED", "CLAIMED", "BLOCKED"];
