import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { restorable } from "../../domain/tasks/archive.ts";
import { forgotten } from "../../domain/tasks/archive-text.ts";
import { agentOf, type Executor } from "../outbox/execution.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

/** Deletes what is kept of an ended agent once its retention is over. */
export const forgetWork: Executor<"forget_work"> = async (execution) => {
  const { context } = execution;
  const agent = agentOf(execution);
  const ref = await worktreeOf(context, agent);
  if (ref === null) return { result: null };
  const kept = restorable(await context.store.archives.ofAgents([agent.id]));
  await context.worktrees.forget(ref);
  const at = context.clock.now();
  return {
    result: { archives: kept.length },
    also: (tables) => tables.archives.removed(agent.id, at),
    changes: decisionOnly("work_forgotten", forgotten(agent.name, kept), { agentId: agent.id }),
  };
};
