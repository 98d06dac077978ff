import { fullName } from "../../domain/kernel/repository.ts";
import { planStanding } from "../../domain/planning/plan-standing.ts";
import { progressOf, steeredAt, takenBy } from "../../domain/planning/planned-work.ts";
import type { TaskWithNames } from "../../domain/ports/lists.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { PlannedWork } from "../../domain/ports/work-tables.ts";
import { BY_ITSELF, nextOfWork } from "../../domain/tasks/next-of-work.ts";
import type { TaskRecord } from "../../domain/tasks/task.ts";
import { workReason } from "../../domain/tasks/work-reason.ts";
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

/** The parts of `owner/name#9`; the issue is 0 where the key is none. */
export function planKey(key: string): { readonly repository: string; readonly issue: number } {
  const [, repository = "", issue = "0"] = /^([^#]+)#([1-9]\d{0,9})$/.exec(key) ?? [];
  return { repository, issue: Number(issue) };
}

/** A task as the API and the command show it: who works on it, what is reviewed, and why it stands where it stands. */
export interface TaskJson {
  readonly repository: string;
  readonly issue: number;
  readonly title: string;
  readonly state: TaskRecord["state"];
  /** Name of the coder that holds it, or held it last. */
  readonly agent: string | null;
  readonly reason: string | null;
  /** What comes next, and what a person does where one must. */
  readonly next: string;
  /** The agent that is at it now, reviewers too: what it does, when it starts or its place in the queue, and why it has not started. */
  readonly live: ReturnType<typeof liveJson> | null;
  readonly review_commit: string | null;
  readonly merge_commit: string | null;
  readonly superseded_by: number | null;
  readonly review_cycles: number;
  readonly sprint: string | null;
  readonly created_at: string;
}

/** `merges` = Flotilla merges in its repository by itself. */
export function taskJson(row: TaskWithNames, repository: string, merges = false): TaskJson {
  const { task, agent, sprint, live } = row;
  return {
    repository,
    issue: task.issue,
    title: task.title,
    state: task.state,
    agent,
    reason: workReason(task),
    next: nextOfWork(task.state, {
      ...row,
      blockedReason: task.blockedReason,
      abandonedReason: task.abandonedReason,
      coderState: row.coderState ?? undefined,
      merging: merges ? BY_ITSELF : null,
    }),
    live: live === null ? null : liveJson(live),
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

/** Says how the repository with an id is called; by its number where nobody has heard of it. */
export async function repositoryNames({
  repositories,
}: Pick<Tables, "repositories">): Promise<(id: number) => string> {
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  return (id) => names.get(id) ?? String(id);
}
