import { mayEndWork, retrospectives } from "../../domain/lessons/lesson-due.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { CascadingMoves, StepContext, Stepped } from "../kernel/engine-context.ts";

/** Has the work looked back at when it ends, once for each commit that was up for review, and once for a merge. */
export async function looksBack(
  { context, tables, request }: StepContext,
  { before, after, event }: Stepped<TaskRecord, TaskEvent>,
): Promise<readonly CascadingMoves[]> {
  const { id, repositoryId, issue, state, reviewCommit } = after;
  if (retrospectives(context.settingsOf(repositoryId).roles).length === 0) return [];
  if (!mayEndWork(before, after, event)) return [];
  const effect = { kind: "offer_lesson", asked: null } as const;
  const key = `lesson:${id}:${state === "MERGED" ? "merged" : reviewCommit}`;
  await tables.effects.add([{ ...issueEffect({ repositoryId, issue, effect, at: request.at }), key }]);
  return [];
}
