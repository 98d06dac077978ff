import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** A hash of all that stands in the agent's worktree; null when it has none, or it cannot be read. */
export async function treeOf(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  const ref = await worktreeOf(context, agent);
  if (ref === null) return null;
  return context.worktrees.tree(ref).catch((error: unknown) => {
    context.log.warn({ error: messageOf(error), agent: agent.name }, "a worktree could not be read");
    return null;
  });
}

/** The agent's worktree, for a role with `checkout: head` a detached one; null for an agent that has none. */
export async function worktreeOf(context: EngineContext, agent: AgentRecord): Promise<WorktreeRef | null> {
  const detached = agent.worktreePath !== null || context.roleOf(agent)?.checkout === "head";
  if (agent.branch === null && !detached) return null;
  return {
    repository: await repositoryOf(context, agent.repositoryId),
    name: agent.name,
    branch: agent.branch,
  };
}
