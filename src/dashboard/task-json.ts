import type { TaskRecord } from "../core/machines/task.ts";
import type { TaskWithNames } from "../core/ports/lists.ts";
import { BY_ITSELF, nextOfWork } from "../core/text/work-next.ts";
import { workReason } from "../core/text/work-reason.ts";

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
