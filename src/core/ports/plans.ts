import type { GoalRecord } from "../machines/goal.ts";
import type { SprintRecord } from "../machines/sprint.ts";
import type { TaskState } from "../machines/task.ts";
import type { Listed, OfRepositories, PageOf } from "./lists.ts";

/** A goal with its sprints, or a sprint that belongs to no goal. */
export interface PlannedWork {
  readonly repositoryId: number;
  readonly goal: GoalRecord | null;
  readonly sprints: readonly SprintRecord[];
  /** The latest task of each issue, by issue; null for a sub-issue on which no work has begun. */
  readonly tasks: readonly { readonly issue: number; readonly state: TaskState | null }[];
  /** Of all their agents, those that have ended too. */
  readonly agents: number;
  readonly costMicroUsd: number;
}

/** Goals and sprints for people and programs, each call in a fixed number of statements. */
export interface PlanTable {
  /** The latest first; with `open` only those that are not over. */
  list(
    where: { readonly open: boolean; readonly repositories: OfRepositories },
    page: PageOf,
  ): Promise<readonly Listed<PlannedWork>[]>;
  /** What the issue tracks or belongs to: the latest goal there, else the sprint of its latest task with that one's goal. */
  ofIssue(repositoryId: number, issue: number): Promise<PlannedWork | undefined>;
  /** Sprints at CHECKPOINT. */
  checkpoints(repositories: OfRepositories): Promise<number>;
}
