import { isBlockedBy } from "../core/blockers.ts";
import type { View } from "../core/reaction.ts";
import { fullName } from "../core/repository.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";

/** Issues, of other repositories too, whose agents wait to start and that this one blocks or has blocked. */
export async function heldBy(
  { store }: Pick<EngineContext, "store">,
  repository: RepositoryRow,
  number: number,
): Promise<View["held"]> {
  const blocker = { repository: fullName(repository), number };
  const waiting = await store.records.find("agent", { state: "CREATED" });
  const rows = await Promise.all(waiting.map((agent) => store.blockers.get(agent.repositoryId, agent.issue)));
  const held = rows.flatMap((row) => (row !== undefined && isBlockedBy(row, blocker) ? [row] : []));
  const issues = held.map(({ repositoryId, issue }) => ({ repositoryId, issue }));
  return [...new Map(issues.map((one) => [`${one.repositoryId}#${one.issue}`, one])).values()];
}
