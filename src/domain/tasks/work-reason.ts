import { inARow } from "../messages/format.ts";
import { DEADLOCK } from "./escalation.ts";
import type { TaskRecord } from "./task-record.ts";

const UNKNOWN = "unknown";

/**
 * Returns the reason for the state of an issue's work, in the words that every text uses; null when the state needs no
 * reason. It may quote what other people wrote.
 */
export function workReason(task: TaskRecord): string | null {
  switch (task.state) {
    case "CLAIMED":
      return task.integrationFix
        ? `its coder fixes a failed merge (${task.integrationReason ?? UNKNOWN}), then it is reviewed again`
        : null;
    case "REJECTED":
      return task.rejectionReason ?? UNKNOWN;
    case "INTEGRATION_FAILED":
      return task.integrationReason ?? UNKNOWN;
    case "BLOCKED":
      return task.blockedReason === DEADLOCK
        ? `rejected ${inARow(task.reviewCyclesCurrent)} (${DEADLOCK})`
        : `it needs replanning (${task.blockedReason ?? UNKNOWN})`;
    case "SUPERSEDED":
      return `#${task.supersededBy} takes its place: ${task.rescopeReason ?? UNKNOWN}`;
    case "ABANDONED":
      return task.abandonedReason;
    case "DRAFT":
    case "UNCLAIMED":
    case "READY_FOR_REVIEW":
    case "APPROVED":
    case "MERGED":
      return null;
  }
}
