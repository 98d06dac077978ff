import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { WorktreeRef } from "../core/ports/worktrees.ts";
import type { EngineContext } from "./context.ts";
import { repositoryOf } from "./repository-of.ts";

/** The agent's worktree; null for one that has none. */
export async function worktreeOf(context: EngineContext, agent: AgentRecord): Promise<WorktreeRef | null> {
  if (agent.branch === null) return null;
  return {
    repository: await repositoryOf(context, agent.repositoryId),
    name: agent.name,
    branch: agent.branch,
  };
}
