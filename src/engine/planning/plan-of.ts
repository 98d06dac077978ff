import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { GoalRecord } from "../../domain/planning/goal.ts";
import type { Plan } from "../../domain/planning/plan.ts";
import type { SprintRecord } from "../../domain/planning/sprint.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isAnswerable } from "../../domain/questions/question.ts";
import { isOpenTask, type TaskRecord } from "../../domain/tasks/task-record.ts";
import type { WorkFacts } from "../../domain/tasks/work-progress.ts";
import { countTasks } from "./sprint-of.ts";

/** Sprints that are not over. */
export const OPEN_SPRINT = ["IN_PROGRESS", "CHECKPOINT"] as const;

interface Place {
  readonly repositoryId: number;
  readonly issue: number;
}

/** Returns the goal in progress that the issue tracks. */
export async function goalTrackedBy(
  tables: Tables,
  { repositoryId, issue }: Place,
): Promise<GoalRecord | undefined> {
  const goals = await tables.records.find("goal", { repositoryId, issue, state: "IN_PROGRESS" });
  return goals.at(-1);
}

/** Returns the goal and sprints of an issue, or those of `milestone` if given. */
export async function planOf(tables: Tables, place: Place, milestone?: number): Promise<Plan> {
  const { records } = tables;
  const goal = milestone === undefined ? await goalTrackedBy(tables, place) : undefined;
  const sprints =
    goal === undefined
      ? await sprintsOf(tables, place, milestone)
      : await records.find("sprint", { goalId: goal.id, state: OPEN_SPRINT });
  const [first] = sprints;
  const counts = await Promise.all(sprints.map(({ id }) => countTasks(tables, id)));
  return {
    goal: goal ?? null,
    sprints,
    trackedOn: first === undefined ? null : await trackedOn(tables, first),
    openTasks: counts.reduce((sum, { open }) => sum + open, 0),
  };
}

async function sprintsOf(
  { records }: Tables,
  { repositoryId, issue }: Place,
  milestone: number | undefined,
): Promise<readonly SprintRecord[]> {
  if (milestone !== undefined) return records.find("sprint", { repositoryId, milestone, state: OPEN_SPRINT });
  const task = (await records.find("task", { repositoryId, issue })).at(-1);
  if (task === undefined || task.sprintId === null) return [];
  return records.find("sprint", { id: task.sprintId, state: OPEN_SPRINT });
}

/** Returns the tracking issue of a sprint's goal; null where the sprint has none. */
export async function trackedOn(
  { records }: Tables,
  { goalId }: Pick<SprintRecord, "goalId">,
): Promise<number | null> {
  const goal = goalId === null ? undefined : await records.get("goal", goalId);
  return goal === undefined ? null : goal.issue;
}

/**
 * Returns the latest task of each issue in the sprints or in `more`, with all agents and questions of these
 * issues.
 */
export async function workOf(
  tables: Tables,
  repositoryId: number,
  sprintIds: readonly number[],
  more: readonly number[] = [],
): Promise<WorkFacts> {
  const { records, questions } = tables;
  const inSprints = sprintIds.length === 0 ? [] : await records.find("task", { sprintId: sprintIds });
  const issues = [...new Set([...inSprints.map(({ issue }) => issue), ...more])];
  const all = issues.length === 0 ? [] : await records.find("task", { repositoryId, issue: issues });
  const agents: readonly AgentRecord[] =
    issues.length === 0 ? [] : await records.find("agent", { repositoryId, issue: issues });
  const issueOf = new Map(agents.map(({ id, issue }) => [id, issue]));
  const asked = await questions.ofAgents([...issueOf.keys()]);
  return {
    tasks: latest(all),
    agents,
    questions: asked
      .filter(isAnswerable)
      .map(({ agentId, text }) => ({ issue: issueOf.get(agentId) ?? 0, text })),
  };
}

/** Returns each issue's open task, or else its last one. */
function latest(tasks: readonly TaskRecord[]): readonly TaskRecord[] {
  const byIssue = Map.groupBy(tasks, ({ issue }) => issue);
  return [...byIssue.values()].flatMap((some) => some.findLast(isOpenTask) ?? some.at(-1) ?? []);
}
