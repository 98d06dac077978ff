import { dueAtOf } from "../planning/milestone.ts";
import type { SprintRecord } from "../planning/sprint.ts";
import type { GitHubIssue } from "../ports/github.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { type BackfilledDelivery, rawIssue, SOMEBODY } from "./backfilled-delivery.ts";

/**
 * The issue's milestone where its task's sprint is another's, or has another title or due date. Who changed it does not
 * matter: it is followed whoever did.
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
      // The same change is told once; when it comes about again, task or sprint have changed in between.
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
