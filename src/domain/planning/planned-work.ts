import type { PlannedWork } from "../ports/work-tables.ts";
import { isOpenTask } from "../tasks/task-record.ts";

/** What a person can do with a goal or a sprint. */
export const PLAN_VERBS = ["checkpoint", "continue", "abort"] as const;
export type PlanVerb = (typeof PLAN_VERBS)[number];

/** Counts the issues of the work that are done, and those that are not. */
export function progressOf({ tasks }: Pick<PlannedWork, "tasks">): { done: number; open: number } {
  const done = tasks.filter(({ state }) => state !== null && !isOpenTask({ state })).length;
  return { done, open: tasks.length - done };
}

/**
 * Returns the state of a goal, or CHECKPOINT while one of its sprints is there; for a sprint without a goal its own.
 */
export function stateOfPlan({ goal, sprints }: Pick<PlannedWork, "goal" | "sprints">): string {
  if (goal !== null && goal.state !== "IN_PROGRESS") return goal.state;
  if (sprints.some(({ state }) => state === "CHECKPOINT")) return "CHECKPOINT";
  return goal?.state ?? sprints.at(-1)?.state ?? "IN_PROGRESS";
}

/** Returns the commands that it accepts now. */
export function takenBy(work: Pick<PlannedWork, "goal" | "sprints">): readonly PlanVerb[] {
  const state = stateOfPlan(work);
  if (state === "COMPLETED" || state === "ABORTED") return [];
  const has = (wanted: string) => work.sprints.some((sprint) => sprint.state === wanted);
  const takes = { checkpoint: has("IN_PROGRESS"), continue: has("CHECKPOINT"), abort: true };
  return PLAN_VERBS.filter((verb) => takes[verb]);
}

/**
 * Returns the issue where people steer the work: a goal's tracking issue, or the oldest open issue of a sprint without
 * one.
 */
export function steeredAt({ goal, tasks }: Pick<PlannedWork, "goal" | "tasks">): number | null {
  if (goal !== null) return goal.issue;
  const open = tasks.find(({ state }) => state !== null && isOpenTask({ state }));
  return (open ?? tasks.at(-1))?.issue ?? null;
}
