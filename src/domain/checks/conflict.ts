import { type ChangeSet, decisionOnly, NO_CHANGES } from "../kernel/change-set.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { type Reviewed, setToWork } from "./set-to-work.ts";

const REASON_PREFIX = "conflict with ";
const FILES_NAMED = 10;

/** The conflict of work under review with its base branch. */
export interface ReviewConflict {
  readonly base: string;
  readonly pull: number | null;
  readonly commit: string;
  /** Files in which a merge would conflict. */
  readonly files: readonly string[];
  /** The issue of older unmerged work on the same files; null when this is the oldest. */
  readonly behind: number | null;
  readonly at: number;
}

/** Returns whether the task was sent back to its coder because of a conflict with its base branch. */
export function resolvesConflict({ rejectionReason }: Pick<TaskRecord, "rejectionReason">): boolean {
  return rejectionReason?.startsWith(REASON_PREFIX) ?? false;
}

/**
 * Sends work with a conflict back to its coder before people spend time on it. Work on the same files as older unmerged
 * work waits, because it would conflict again after the older work is merged, and be fixed twice.
 */
export function onConflict(conflict: ReviewConflict, given: Reviewed): ChangeSet {
  const { base, pull, commit, files, behind, at } = conflict;
  const { task, owner } = given;
  if (files.length === 0 || task.state !== "READY_FOR_REVIEW" || owner.state === "ACTIVE") return NO_CHANGES;
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  const where = `${files.slice(0, FILES_NAMED).join(", ")}${more}`;
  const what = `${pull === null ? commit.slice(0, 7) : `#${pull}`} in ${where}`;
  if (behind !== null)
    return decisionOnly(
      "conflict_waits",
      `${REASON_PREFIX}\`${base}\`: ${what}; #${behind} changes the same files`,
      {
        agentId: owner.id,
        change: `nothing: it is fixed when #${behind} is merged or closed`,
        inputs: { commit, files },
      },
    );
  const reason = `${REASON_PREFIX}\`${base}\`: ${what}`;
  return setToWork(given, {
    at,
    reason,
    wake: { key: `conflict:task-${task.id}:${commit}`, reason: "base_moved" },
    detail: `your work under review cannot be merged: ${reason}. Fix that, commit, and report again as before.`,
  });
}
