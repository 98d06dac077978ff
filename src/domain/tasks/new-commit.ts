import type { Move } from "../kernel/change-set.ts";
import type { TaskRecord, TaskState } from "./task-record.ts";

const REVIEWED: readonly TaskState[] = ["READY_FOR_REVIEW", "APPROVED"];

/** A commit on top of what is or was reviewed: what was said of the one before is void. Nothing where none is reviewed. */
export function newCommit(
  task: Pick<TaskRecord, "id" | "state" | "reviewCommit"> | null | undefined,
  { at, actor, commit }: { readonly at: number; readonly actor: string; readonly commit: string },
): readonly Move[] {
  if (!task || !REVIEWED.includes(task.state) || task.reviewCommit === commit) return [];
  return [{ machine: "task", id: task.id, event: { type: "NEW_COMMIT", at, actor, commit } }];
}
