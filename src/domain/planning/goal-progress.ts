import { moment, oneLine } from "../messages/format.ts";
import { costLine, questionLines, taskCounts, type WorkFacts } from "../tasks/work-progress.ts";
import type { GoalRecord } from "./goal.ts";
import { planSummary } from "./plan-summary.ts";
import type { SprintRecord } from "./sprint.ts";

/** What is known of a goal when its tracking issue's status comment is written. */
export interface GoalFacts extends WorkFacts {
  readonly goal: GoalRecord;
  readonly sprints: readonly SprintRecord[];
  /** Number of sub-issues on GitHub, in all repositories. */
  readonly subIssues: number;
  readonly openSubIssues: number;
}

/** Returns the goal's part of the status comment of its tracking issue; nothing where there is no goal. */
export function goalProgress(facts: GoalFacts | null): readonly string[] {
  if (facts === null) return [];
  const { goal, sprints, subIssues, openSubIssues, tasks } = facts;
  const { state, reason, next } = planSummary({ goal, sprints, tasks });
  return [
    `**Goal: ${state}**${reason === null ? "" : `, ${oneLine(reason)}`}`,
    "",
    `- Sub-issues: ${subIssues - openSubIssues} of ${subIssues} closed`,
    `- Tasks: ${taskCounts(tasks)}`,
    ...sprints.map(sprintLine),
    `- ${costLine(facts)}`,
    ...questionLines(facts),
    "",
    `Next for the goal: ${next}.`,
    "",
  ];
}

function sprintLine({ title, state, reason, dueAt }: SprintRecord): string {
  const due = dueAt === null ? "" : `, due until ${moment(dueAt)}`;
  return `- Sprint ${oneLine(title)}: ${state}${reason === null ? "" : ` (${oneLine(reason)})`}${due}`;
}
