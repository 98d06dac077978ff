import { decided } from "../../core/reaction.ts";
import { subjectOf, tell } from "../run-events.ts";
import { note } from "../settle.ts";
import { worktreeOf } from "../worktree-of.ts";
import { agentOf, type Executor } from "./execution.ts";

/** Removes the worktree when nothing in it would be lost; else keeps it and says so. */
export const removeWorktree: Executor<"remove_worktree"> = async (execution) => {
  const { context } = execution;
  const agent = agentOf(execution);
  const ref = await worktreeOf(context, agent);
  if (ref === null || agent.worktreePath === null) return { result: null };
  const removal = await context.worktrees.remove(ref);
  if (removal.removed)
    return {
      result: removal,
      also: async (tables) => {
        await note(tables, agent.id, { worktreePath: null });
        await tell(context, tables, subjectOf(agent), [
          { type: "agent:cleanup", data: { what: "worktree" } },
        ]);
      },
    };
  const what = removal.reason === "dirty" ? "uncommitted changes" : "commits that are not pushed";
  return {
    result: removal,
    reaction: decided("worktree_kept", `the worktree of ${agent.name} holds ${what} and is kept`, {
      agentId: agent.id,
      change: `its work is saved as refs/flotilla/checkpoints/${agent.name}`,
    }),
  };
};
