import type { TaskRecord } from "../core/machines/task.ts";
import type { Tables } from "../core/ports/store.ts";
import { fullName } from "../core/repository.ts";

/** A task as the API and the command show it: who works on it, what is reviewed, and why it stands where it stands. */
export interface TaskJson {
  readonly repository: string;
  readonly issue: number;
  readonly title: string;
  readonly state: TaskRecord["state"];
  /** Name of the coder that holds it, or held it last. */
  readonly agent: string | null;
  readonly reason: string | null;
  readonly review_commit: string | null;
  readonly merge_commit: string | null;
  readonly superseded_by: number | null;
  readonly review_cycles: number;
  readonly sprint: string | null;
  readonly created_at: string;
}

/** Every task, or those in these states, oldest first. */
export async function tasksAsJson(
  { records, repositories }: Pick<Tables, "records" | "repositories">,
  states: readonly string[] | null,
): Promise<readonly TaskJson[]> {
  const all = await records.find("task", {});
  const shown = states === null ? all : all.filter(({ state }) => states.includes(state));
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  const holders = await records.find("agent", {
    id: [...new Set(shown.flatMap((task) => task.assigneeId ?? []))],
  });
  const agents = new Map(holders.map(({ id, name }) => [id, name]));
  const sprints = new Map((await records.find("sprint", {})).map(({ id, title }) => [id, title]));
  return shown.map((task) => ({
    repository: names.get(task.repositoryId) ?? String(task.repositoryId),
    issue: task.issue,
    title: task.title,
    state: task.state,
    agent: agents.get(task.assigneeId ?? 0) ?? null,
    reason: reasonOf(task),
    review_commit: task.reviewCommit,
    merge_commit: task.mergeCommit,
    superseded_by: task.supersededBy,
    review_cycles: task.reviewCyclesTotal,
    sprint: sprints.get(task.sprintId ?? 0) ?? null,
    created_at: new Date(task.createdAt).toISOString(),
  }));
}

/** Of the state that it is in; what held it up before is history. */
function reasonOf(task: TaskRecord): string | null {
  switch (task.state) {
    case "REJECTED":
      return task.rejectionReason;
    case "BLOCKED":
      return task.blockedReason;
    case "INTEGRATION_FAILED":
      return task.integrationReason;
    default:
      return null;
  }
}
