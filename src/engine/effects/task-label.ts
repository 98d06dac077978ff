import { GitHubError } from "../../core/errors.ts";
import type { TaskState } from "../../core/machines/task.ts";
import type { Tables } from "../../core/ports/store.ts";
import { labelChange } from "../../core/state-label.ts";
import type { Executor } from "./execution.ts";

/** Where the issue's newest task stands, ended ones too; null where it never had one. */
export async function shownState(
  { records }: Pick<Tables, "records">,
  repositoryId: number,
  issue: number,
): Promise<TaskState | null> {
  return (await records.find("task", { repositoryId, issue })).at(-1)?.state ?? null;
}

/**
 * The issue's one label of ours. GitHub is read first, so that what people changed is put right and what is right is
 * left alone; the new label comes before the old one goes. An issue that is gone has no label to show.
 */
export const taskLabel: Executor<"task_label"> = async ({ context, repository, row }) => {
  const { github, store } = context;
  try {
    const { labels } = await github.issue(repository, row.issue);
    const change = labelChange(labels, await shownState(store, repository.id, row.issue));
    if (change.add !== null) await github.addLabels(repository, row.issue, [change.add]);
    for (const label of change.remove) await github.removeLabel(repository, row.issue, label);
    return { result: change };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return { result: { gone: true } };
    throw error;
  }
};
