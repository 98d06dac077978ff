import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { type Hold } from "../../domain/breakers/hold.ts";
import type { SprintRecord } from "../../domain/planning/sprint.ts";
import { sprintHold } from "../../domain/planning/sprint-hold.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { isOpenTask } from "../../domain/tasks/task-record.ts";
import { readable } from "../kernel/readable.ts";

/** Returns the live agents on issues whose task belongs to the sprint. */
export async function agentsOfSprint(
  tables: Tables,
  sprint: Pick<SprintRecord, "id" | "repositoryId">,
): Promise<readonly AgentRecord[]> {
  const { repositoryId } = sprint;
  const tasks = await tables.records.find("task", { sprintId: sprint.id });
  const issues = [...new Set(tasks.map(({ issue }) => issue))];
  const all = await tables.records.find("task", { repositoryId, issue: issues });
  // A reopened issue has a new task, which may belong to another sprint.
  const present = issues.filter((one) => all.findLast(({ issue }) => issue === one)?.sprintId === sprint.id);
  const agents = await readable(tables, "agent", { repositoryId, issue: present });
  return agents.filter(isLive);
}

/** Returns how many tasks the sprint has, and how many of them are open. */
export async function countTasks(
  tables: Tables,
  sprintId: number,
): Promise<{ readonly tasks: number; readonly open: number }> {
  const tasks = await tables.records.find("task", { sprintId });
  return { tasks: tasks.length, open: tasks.filter(isOpenTask).length };
}

/** Returns the sprint's holds on starts and wakes of the issue; empty where there are none. */
export async function heldBySprint(
  tables: Tables,
  agent: Pick<AgentRecord, "repositoryId" | "issue">,
): Promise<readonly Hold[]> {
  const { repositoryId, issue } = agent;
  const task = (await tables.records.find("task", { repositoryId, issue })).at(-1);
  const sprint =
    task === undefined || task.sprintId === null
      ? undefined
      : await tables.records.get("sprint", task.sprintId);
  if (sprint?.state !== "CHECKPOINT") return [];
  const goal = sprint.goalId === null ? undefined : await tables.records.get("goal", sprint.goalId);
  return [sprintHold(sprint, goal?.issue ?? null)];
}
