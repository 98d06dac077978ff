import { restorable } from "../../core/archive.ts";
import { decided } from "../../core/reaction.ts";
import { forgotten } from "../../core/text/archive.ts";
import { worktreeOf } from "../worktree-of.ts";
import { agentOf, type Executor } from "./execution.ts";

/** Deletes what is kept of an agent that has ended, its time being over. */
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
    reaction: decided("work_forgotten", forgotten(agent.name, kept), { agentId: agent.id }),
  };
};
