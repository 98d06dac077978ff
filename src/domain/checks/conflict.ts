import { type ChangeSet, decisionOnly, NO_CHANGES } from "../kernel/change-set.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { type Reviewed, setToWork } from "./set-to-work.ts";

const START = "conflict with ";
const NAMED = 10;

/** How work under review stands to its base branch. */
export interface ReviewConflict {
  readonly base: string;
  readonly pull: number | null;
  readonly commit: string;
  /** Files at which a merge would meet a conflict. */
  readonly files: readonly string[];
  /** The issue of older work on the same files that is not merged yet; null when it is the oldest. */
  readonly behind: number | null;
  readonly at: number;
}

/** The task was sent back to bring its base in. */
export function mendsConflict({ rejectionReason }: Pick<TaskRecord, "rejectionReason">): boolean {
  return rejectionReason?.startsWith(START) ?? false;
}

/**
 * Work that cannot be merged goes back to its coder before people spend time on it. Behind older work on the same files
 * it waits: once that is merged it would conflict again, and each conflict is to be fixed once.
 */
export function onConflict(conflict: ReviewConflict, given: Reviewed): ChangeSet {
  const { base, pull, commit, files, behind, at } = conflict;
  const { task, owner } = given;
  if (files.length === 0 || task.state !== "READY_FOR_REVIEW" || owner.state === "ACTIVE") return NO_CHANGES;
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : "";
  const where = `${files.slice(0, NAMED).join(", ")}${more}`;
  const what = `${pull === null ? commit.slice(0, 7) : `#${pull}`} in ${where}`;
  if (behind !== null)
    return decisionOnly("conflict_waits", `${START}\`${base}\`: ${what}; #${behind} changes the same files`, {
      agentId: owner.id,
      change: `nothing: it is fixed when #${behind} is merged or closed`,
      inputs: { commit, files },
    });
  const reason = `${START}\`${base}\`: ${what}`;
  return setToWork(given, {
    at,
    reason,
    wake: { key: `conflict:task-${task.id}:${commit}`, reason: "base_moved" },
    detail: `your work under review cannot be merged: ${reason}. Fix that, commit, and report again as before.`,
  });
}
