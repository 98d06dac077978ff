import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { checksFailure } from "../../domain/checks/check-failure.ts";
import { takesOverText } from "../../domain/merge-queue/merge-text.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";

/**
 * Returns the opening note for a new conversation of a coder that fixes a failed merge; null for others, and
 * where `told` contains the reason already.
 */
export async function takenOver(
  { store }: Pick<EngineContext, "store">,
  agent: AgentRecord,
  told: string | null,
): Promise<string | null> {
  const task = await taskOf(store, agent.repositoryId, agent.issue);
  if (task?.state !== "CLAIMED" || !task.integrationFix || task.assigneeId !== agent.id) return null;
  const { integrationReason: reason, reviewCommit, repositoryId } = task;
  if (reason === null || told?.includes(reason)) return null;
  const seen = reviewCommit === null ? [] : await store.checks.ofRef(repositoryId, reviewCommit);
  const red = seen.filter(({ state, excused, name }) => state === "red" && !excused && reason.includes(name));
  const failures = red.map(({ name: check, ...rest }) => ({ check, ...rest }));
  return takesOverText(reason, failures.length === 0 ? "" : checksFailure(failures, 1));
}
