import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** Returns a hash of the agent's worktree; null when there is none or it cannot be read. */
export async function treeOf(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  try {
    const ref = await worktreeOf(context, agent);
    return ref === null ? null : await context.worktrees.tree(ref);
  } catch (error) {
    context.log.warn({ error: messageOf(error), agent: agent.name }, "worktree not read");
    return null;
  }
}

/** Returns the agent's worktree, detached for a role with `checkout: head`; null for an agent without one. */
export async function worktreeOf(context: EngineContext, agent: AgentRecord): Promise<WorktreeRef | null> {
  const detached = agent.worktreePath !== null || context.roleOf(agent)?.checkout === "head";
  if (agent.branch === null && !detached) return null;
  return {
    repository: await repositoryOf(context, agent.repositoryId),
    name: agent.name,
    branch: agent.branch,
  };
}
