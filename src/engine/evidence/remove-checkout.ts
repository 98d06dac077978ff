import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

/**
 * Removes the agent's clean checkout where one is left; a failure is harmless, since the next checkout
 * replaces it.
 */
export async function removeCheckout(context: EngineContext, agent: AgentRecord): Promise<void> {
  const ref = await worktreeOf(context, agent);
  if (ref === null) return;
  await context.worktrees.removeCheckout(ref).catch((error: unknown) => {
    context.log.warn({ error: messageOf(error), agent: agent.name }, "checkout not removed");
  });
}
