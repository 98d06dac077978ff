import { type Touch, touchOf } from "../core/ledger/touch.ts";
import type { TaskRecord } from "../core/machines/task.ts";
import type { Occurrence, OccurrenceOf } from "../core/occurrence.ts";
import type { Tables } from "../core/ports/store.ts";
import type { View } from "../core/reaction.ts";

/** What the ledger notes of an occurrence: what a person did for the work, or which merged work was taken back. */
export async function touchesOf(
  store: Pick<Tables, "records">,
  occurrence: Occurrence,
  view: View,
): Promise<readonly Touch[]> {
  if (occurrence.type === "reverted") {
    const { repository, at } = occurrence;
    return (await revertedTasks(store, occurrence)).map(({ id, issue }) => ({
      repositoryId: repository.id,
      issue,
      kind: "revert",
      key: `revert:${id}`,
      at,
    }));
  }
  const touch = touchOf(occurrence, view);
  return touch === null ? [] : [touch];
}

/** Merged tasks that a commit or pull request took back, by their merge commit or their pull request. */
export async function revertedTasks(
  { records }: Pick<Tables, "records">,
  { repository, commits, pulls }: Pick<OccurrenceOf<"reverted">, "repository" | "commits" | "pulls">,
): Promise<readonly TaskRecord[]> {
  const merged = { repositoryId: repository.id, state: "MERGED" } as const;
  const byCommit = await records.find("task", { ...merged, mergeCommit: commits });
  const assigneeId = await records.ids("agent", { repositoryId: repository.id, prNumber: pulls });
  const byPull = await records.find("task", { ...merged, assigneeId });
  return [...new Map([...byCommit, ...byPull].map((task) => [task.id, task])).values()];
}
