import type { GoalRecord } from "./goal.ts";
import type { SprintRecord } from "./sprint.ts";

/** The label that makes an issue the tracking issue of a goal. Case does not matter, as on GitHub. */
export const GOAL_LABEL = "goal";

export function isGoalLabel(label: string): boolean {
  return label.toLowerCase() === GOAL_LABEL;
}

/** The goals and sprints of an issue. */
export interface Plan {
  /** The goal in progress whose tracking issue this is. */
  readonly goal: GoalRecord | null;
  /** Sprints that are not over: the goal's; without one that of the issue's task, or of the milestone in the event. */
  readonly sprints: readonly SprintRecord[];
  /** The tracking issue of the goal to which that sprint belongs; null where it belongs to none. */
  readonly trackedOn: number | null;
  /** Tasks of these sprints that are open. */
  readonly openTasks: number;
}

export const NO_PLAN: Plan = { goal: null, sprints: [], trackedOn: null, openTasks: 0 };

/** Returns where people steer a sprint, in words; without a goal, on each of its issues. */
export function steeredOn(trackedOn: number | null): string {
  return trackedOn === null ? "any issue of the sprint" : `#${trackedOn}, the goal's tracking issue`;
}

/** Returns true when a goal had work and all of it has ended. */
export function isDone(counted: {
  readonly subIssues: number;
  readonly openSubIssues: number;
  readonly tasks: number;
  readonly openTasks: number;
}): boolean {
  return counted.subIssues + counted.tasks > 0 && counted.openSubIssues + counted.openTasks === 0;
}
