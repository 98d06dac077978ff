import type { DomainEvent, DomainEventOf } from "../../domain/events/domain-event.ts";
import type { IssueState } from "../../domain/kernel/change-set.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Touch, touchOf } from "../../domain/reporting/touch.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/**
 * Returns what the ledger records of an event: a person's contribution to the work, or merged work that was
 * reverted.
 */
export async function touchesOf(
  store: Pick<Tables, "records">,
  event: DomainEvent,
  view: IssueState,
): Promise<readonly Touch[]> {
  if (event.type === "reverted") {
    const { repository, at } = event;
    return (await revertedTasks(store, event)).map(({ id, issue }) => ({
      repositoryId: repository.id,
      issue,
      kind: "revert",
      key: `revert:${id}`,
      at,
    }));
  }
  const touch = touchOf(event, view);
  return touch === null ? [] : [touch];
}

/**
 * Returns the merged tasks that a commit or pull request reverted, found by their merge commit or pull
 * request.
 */
export async function revertedTasks(
  { records }: Pick<Tables, "records">,
  { repository, commits, pulls }: Pick<DomainEventOf<"reverted">, "repository" | "commits" | "pulls">,
): Promise<readonly TaskRecord[]> {
  const merged = { repositoryId: repository.id, state: "MERGED" } as const;
  const byCommit = await records.find("task", { ...merged, mergeCommit: commits });
  const assigneeId = await records.ids("agent", { repositoryId: repository.id, prNumber: pulls });
  const byPull = await records.find("task", { ...merged, assigneeId });
  return [...new Map([...byCommit, ...byPull].map((task) => [task.id, task])).values()];
}
