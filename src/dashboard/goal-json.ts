import { progressOf, steeredAt, takenBy } from "../core/planned-work.ts";
import type { PlannedWork } from "../core/ports/plans.ts";
import { planStanding } from "../core/text/plan-standing.ts";
import { usd } from "./agent-view.ts";

/** A goal with its sprints, or a sprint without a goal, as the API and the command show it. */
export function goalJson(work: PlannedWork, repository: string) {
  const { goal, sprints } = work;
  const issue = steeredAt(work);
  const record = goal ?? sprints.at(-1);
  return {
    kind: goal === null ? ("sprint" as const) : ("goal" as const),
    repository,
    /** Where it is steered, on GitHub and here. */
    issue,
    key: issue === null ? null : `${repository}#${issue}`,
    title: record?.title ?? "",
    /** Where it stands, why, and what a person can do; as on its issue. */
    ...planStanding(work),
    ...progressOf(work),
    issues: work.tasks,
    agents: work.agents,
    cost_usd: usd(work.costMicroUsd),
    sprints: sprints.map((sprint) => ({
      milestone: sprint.milestone,
      title: sprint.title,
      state: sprint.state,
      reason: sprint.reason,
      due_at: sprint.dueAt === null ? null : new Date(sprint.dueAt).toISOString(),
    })),
    takes: takenBy(work),
    created_at: new Date(record?.createdAt ?? 0).toISOString(),
    ended_at: record?.endedAt == null ? null : new Date(record.endedAt).toISOString(),
  };
}

export type GoalJson = ReturnType<typeof goalJson>;
