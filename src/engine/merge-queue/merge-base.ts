import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { resolvesConflict } from "../../domain/checks/conflict.ts";
import { broughtInText } from "../../domain/merge-queue/merge-text.ts";
import type { WakeTable } from "../../domain/ports/agent-tables.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";

/**
 * Merges the base branch into the worktree of a coder that fixes a failed integration or a conflict under
 * review. Returns the note for the coder, or null where nothing is to be merged. Idempotent: an uncommitted
 * merge is left as it is.
 */
export async function bringBaseIn(
  { store, worktrees, clock }: EngineContext,
  agent: AgentRecord,
  { ref, base }: { readonly ref: WorktreeRef; readonly base: string },
): Promise<Parameters<WakeTable["add"]>[0] | null> {
  const task = await taskOf(store, agent.repositoryId, agent.issue);
  if (task?.state !== "CLAIMED" || task.assigneeId !== agent.id) return null;
  if (!task.integrationFix && !resolvesConflict(task)) return null;
  const brought = await worktrees.bringIn(ref, base);
  if (brought === null) return null;
  const at = clock.now();
  return {
    key: `brought-in:${agent.id}:${agent.token}:${brought.base}`,
    agentId: agent.id,
    reason: "message",
    detail: broughtInText(base, brought),
    grant: null,
    dueAt: at,
    createdAt: at,
  };
}
