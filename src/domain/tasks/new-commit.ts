import type { Move } from "../kernel/change-set.ts";
import type { TaskRecord, TaskState } from "./task-record.ts";

const REVIEWED: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED"];

/**
 * Reports a commit on top of the reviewed one, which voids earlier verdicts. Nothing where no commit is under review.
 */
export function newCommit(
  task: Pick<TaskRecord, "id" | "state" | "reviewCommit"> | null | undefined,
  { at, actor, commit }: { readonly at: number; readonly actor: string; readonly commit: string },
): readonly Move[] {
  if (!task || !REVIEWED.includes(task.state) || task.reviewCommit === commit) return [];
  return [{ machine: "task", id: task.id, event: { type: "NEW_COMMIT", at, actor, commit } }];
}
