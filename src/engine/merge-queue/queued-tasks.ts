import { setImmediate } from "node:timers/promises";
import type { Tables } from "../../domain/ports/store.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";

/** Tasks read by one statement. */
const A_PAGE = 100;

/**
 * Yields the tasks in the repository's merge queue in order of creation, and yields to the event loop between
 * pages.
 */
export async function* queuedTasks(
  { records }: Pick<Tables, "records">,
  repositoryId: number,
): AsyncGenerator<TaskRecord> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page: readonly TaskRecord[] = await records.queuedTasks(repositoryId, after, A_PAGE);
    yield* page;
    after = page.length < A_PAGE ? undefined : page.at(-1)?.id;
    if (after !== undefined) await setImmediate();
  }
}
