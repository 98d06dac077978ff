import { dueAtOf } from "../planning/milestone.ts";
import type { SprintRecord } from "../planning/sprint.ts";
import type { GitHubIssue } from "../ports/github.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { type BackfilledDelivery, rawIssue, SOMEBODY } from "./backfilled-delivery.ts";

/**
 * Returns the webhook of a changed milestone: the sprint of the issue's task has another milestone, title or due date.
 * The actor is unknown and does not matter.
 */
export function missedMilestone(
  issue: GitHubIssue,
  task: Pick<TaskRecord, "id" | "version"> | null,
  sprint: SprintRecord | null,
): readonly BackfilledDelivery[] {
  const { number, milestone } = issue;
  if (task === null || isFollowed(milestone, sprint)) return [];
  return [
    {
      // Reported once for each state of task and sprint; a repeated change has other versions.
      name: `milestone-${task.id}-v${task.version}-${sprint?.version ?? 0}-${milestone?.number ?? 0}`,
      event: "issues",
      action: milestone === null ? "demilestoned" : "milestoned",
      number,
      sender: SOMEBODY,
      fields: { issue: rawIssue(issue) },
    },
  ];
}

function isFollowed(milestone: GitHubIssue["milestone"], sprint: SprintRecord | null): boolean {
  if (milestone === null || sprint === null) return milestone === null && sprint === null;
  if (milestone.number !== sprint.milestone) return false;
  if (sprint.endedAt !== null) return true;
  return milestone.title === sprint.title && dueAtOf(milestone) === sprint.dueAt;
}
