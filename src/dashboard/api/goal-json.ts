import { fullName } from "../../domain/kernel/repository.ts";
import { riskAboveOf } from "../../domain/merge-queue/risk-above.ts";
import { planSummary } from "../../domain/planning/plan-summary.ts";
import { progressOf, steeredAt, takenBy } from "../../domain/planning/planned-work.ts";
import type { TaskWithNames } from "../../domain/ports/lists.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { PlannedWork } from "../../domain/ports/work-tables.ts";
import { BY_ITSELF, nextOfWork } from "../../domain/tasks/next-of-work.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { workReason } from "../../domain/tasks/work-reason.ts";
import { usd } from "./agent-view.ts";

/** Formats a goal with its sprints, or a sprint without a goal, for the API and the command line. */
export function goalJson(work: PlannedWork, repository: string) {
  const { goal, sprints } = work;
  const issue = steeredAt(work);
  const record = goal ?? sprints.at(-1);
  return {
    kind: goal === null ? ("sprint" as const) : ("goal" as const),
    repository,
    /** The issue that tracks it on GitHub, and its key here. */
    issue,
    key: issue === null ? null : `${repository}#${issue}`,
    title: record?.title ?? "",
    /** Its state, why it is in that state, and what a person can do; the same as on its issue. */
    ...planSummary(work),
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

/** Parses a key `owner/name#9`; `issue` is 0 if the text is not a key. */
export function planKey(key: string): { readonly repository: string; readonly issue: number } {
  const [, repository = "", issue = "0"] = /^([^#]+)#([1-9]\d{0,9})$/.exec(key) ?? [];
  return { repository, issue: Number(issue) };
}

/** A task for the API and the command line: its agent, its review, and why it is in its state. */
export interface TaskJson {
  readonly repository: string;
  readonly issue: number;
  readonly title: string;
  readonly state: TaskRecord["state"];
  /** Name of the coder that holds the task, or held it last. */
  readonly agent: string | null;
  /** The number of that coder's pull request. */
  readonly pull: number | null;
  readonly reason: string | null;
  /** The next step, and what a person must do if the step needs a person. */
  readonly next: string;
  /**
   * The agent that works on it now, reviewers included: its activity, when it starts or its place in the queue, and why
   * it has not started.
   */
  readonly live: ReturnType<typeof liveJson> | null;
  /** The base branch of its work; null = the repository's default branch. */
  readonly base: string | null;
  readonly review_commit: string | null;
  readonly merge_commit: string | null;
  readonly superseded_by: number | null;
  readonly review_cycles: number;
  readonly sprint: string | null;
  readonly created_at: string;
}

/** Formats a task. `merges` is true if Flotilla itself merges in the repository. */
export function taskJson(row: TaskWithNames, repository: string, merges = false): TaskJson {
  const { task, agent, sprint, live } = row;
  return {
    repository,
    issue: task.issue,
    title: task.title,
    state: task.state,
    agent,
    pull: row.pull,
    reason: workReason(task),
    next: nextOfWork(task.state, {
      ...row,
      blockedReason: task.blockedReason,
      abandonedReason: task.abandonedReason,
      coderState: row.coderState ?? undefined,
      merging: merges ? BY_ITSELF : null,
      riskAbove: riskAboveOf(task),
    }),
    live: live === null ? null : liveJson(live),
    base: task.base,
    review_commit: task.reviewCommit,
    merge_commit: task.mergeCommit,
    superseded_by: task.supersededBy,
    review_cycles: task.reviewCyclesTotal,
    sprint,
    created_at: new Date(task.createdAt).toISOString(),
  };
}

function liveJson({ startsAt, ...live }: NonNullable<TaskWithNames["live"]>) {
  return { ...live, starts_at: startsAt === null ? null : new Date(startsAt).toISOString() };
}

/** Returns a function from a repository's id to its name; to its number if the name is unknown. */
export async function repositoryNames({
  repositories,
}: Pick<Tables, "repositories">): Promise<(id: number) => string> {
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  return (id) => names.get(id) ?? String(id);
}
