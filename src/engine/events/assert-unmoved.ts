import type { IssueState } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** Throws `StaleSnapshot` when a record has changed: the recorded state must be the one that the decision was based on. */
export async function assertUnmoved(
  { records }: Tables,
  { repositoryId, issue, agents, task }: IssueState,
): Promise<void> {
  const now = await records.find("agent", { repositoryId, issue });
  const moved = now.find(({ id, state, token }, index) => {
    const seen = agents[index];
    return seen?.id !== id || seen.state !== state || seen.token !== token;
  });
  if (moved !== undefined) throw new StaleSnapshot("agent", moved.id);
  if (task === null) return;
  const known = await records.get("task", task.id);
  if (known?.state !== task.state || known.reviewCommit !== task.reviewCommit)
    throw new StaleSnapshot("task", task.id);
}
