import type { TaskRecord } from "../../core/machines/task.ts";
import type { Occurrence } from "../../core/occurrence.ts";
import type { Tables } from "../../core/ports/store.ts";
import type { View } from "../../core/reaction.ts";
import { isOfEarlier } from "../../core/reactions/on-reviewed.ts";
import { reviewerRoles } from "../../core/reactions/review-due.ts";
import { personAs } from "../../core/review/reviewer.ts";
import type { VerdictRow } from "../../core/review/verdict.ts";
import type { EngineContext } from "../context.ts";
import { publishAll } from "./follow-moves.ts";

/**
 * Requests for changes of the commit that was under review last, also while no move of the task keeps them: a second one of
 * work that is rejected stands beside the first, and its author's approval or a dismissal takes one back.
 */
export async function followReview(
  { settings }: EngineContext,
  tables: Tables,
  occurrence: Occurrence,
  view: Pick<View, "agents" | "task">,
): Promise<void> {
  const { task } = view;
  if (task === null || ("headRef" in occurrence && isOfEarlier(occurrence, view))) return;
  const changed = await changedBy(tables, occurrence, task);
  if (reviewerRoles(settings).length > 0)
    await publishAll(tables, task, { rows: changed, at: occurrence.at });
}

async function changedBy(
  { verdicts }: Tables,
  occurrence: Occurrence,
  { id: taskId, state, reviewCommit: commit }: TaskRecord,
): Promise<readonly VerdictRow[]> {
  if (commit === null || !("reviewedCommit" in occurrence)) return [];
  const { reviewedCommit } = occurrence;
  if (occurrence.type === "review_dismissed")
    return reviewedCommit === null || reviewedCommit === commit
      ? verdicts.lift(taskId, { reviewer: personAs(occurrence.reviewer), commit })
      : [];
  if (!occurrence.permitted || occurrence.ended !== null || reviewedCommit !== commit) return [];
  const reviewer = personAs(occurrence.actor);
  if (occurrence.verdict === "approved") return verdicts.lift(taskId, { reviewer, commit });
  if (occurrence.verdict !== "changes_requested" || !TAKEN_BACK.includes(state)) return [];
  const { at: createdAt, body } = occurrence;
  const said = { agentId: null, ...reviewer, commit, approves: false, body, comments: [], evidence: [] };
  return [await verdicts.add({ taskId, ...said, createdAt })];
}

/** A request for changes moves the task from no other: its move keeps that one. */
const TAKEN_BACK: readonly TaskRecord["state"][] = ["REJECTED", "CLAIMED", "BLOCKED"];
