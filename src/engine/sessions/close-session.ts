import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { GitError, messageOf } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { advanceAgent, sessionMove } from "../kernel/advance-agent.ts";
import { isHere } from "../kernel/at-work-here.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";
import { agentOf, type Execution, type Executor } from "../outbox/execution.ts";
import { saveWork, sendCheckpoint } from "../tasks/save-work.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { interruptCalls } from "./interrupt-calls.ts";
import { destroySession } from "./old-sessions.ts";

/**
 * Ends the process and saves the work; with `destroy` also deletes the conversation and the agent's
 * directories. The slot is free once the effect is settled.
 */
export const closeSession: Executor<"close_session"> = async (execution) => {
  const { context, drivers, effect } = execution;
  const agent = agentOf(execution);
  await drivers.stop(agent.id);
  context.crashPoint("session:stopped");
  // A call that a person allowed waits for an exchange, which an agent that ends as it wakes never begins.
  if (!isLive(agent)) await interruptCalls(context, agent.id);
  const sessions = await context.store.records.find("session", { agentId: agent.id });
  const at = context.clock.now();
  const over = sessions.filter(({ state }) => state === "stopping" || (state === "failed" && effect.destroy));
  // Recorded first: the process is gone, whatever happens to the work.
  await advanceAgent(context, agent, {
    moves: over.map((session) => sessionMove(session, { type: "STOPPED", at, actor: "flotilla" })),
  });
  const ref = await worktreeOf(context, agent);
  // The worktree of a lost node is lost with it: what was pushed remains.
  const checkpoint =
    isHere(context, agent) &&
    effect.checkpoint &&
    ref !== null &&
    ref.branch !== null &&
    agent.worktreePath !== null
      ? await checkpointOf(context, agent, ref)
      : null;
  const baseDirectory = await context.directories.session(agent.id);
  if (effect.destroy)
    for (const { sessionId } of sessions) await destroySession(context, agent, { sessionId, baseDirectory });
  if (effect.destroy) await dropDirectories(context, agent.id);
  const result = { checkpoint };
  // A kept conversation has no move that records the end of its process.
  const last = sessions.at(-1);
  const kept = over.length === 0 && last !== undefined && last.state !== "stopped";
  if (!effect.destroy || sessions.length === 0)
    return { result, ...(kept ? { also: (tables) => cleanedUp(execution, tables, "process") } : {}) };
  const destroyedAt = context.clock.now();
  return {
    result,
    also: async (tables) => {
      for (const session of await tables.records.find("session", { agentId: agent.id, destroyedAt: null }))
        await tables.records.save("session", session, { ...session, destroyedAt });
      await tables.conversations.drop(agent.id);
      await cleanedUp(execution, tables, "conversation");
    },
  };
};

async function cleanedUp(
  execution: Execution<"close_session">,
  tables: Tables,
  what: "process" | "conversation",
): Promise<void> {
  const subject = subjectOf(agentOf(execution));
  await appendRunEvents(execution.context, tables, subject, [{ type: "agent:cleanup", data: { what } }]);
}

/**
 * Saves the work and sends it to the server; returns the checkpoint's commit, or null without one. An agent that another
 * machine left to this one may be put to rest before its worktree is made here: what was saved there remains.
 */
async function checkpointOf(
  context: EngineContext,
  agent: AgentRecord,
  ref: WorktreeRef,
): Promise<string | null> {
  const saved = await saveWork(context, agent, { ref, atWork: false }).catch(noWorktree);
  if (saved === "none" || saved === "held" || saved === "moved" || saved.commit === null) return null;
  await sendCheckpoint(context, agent, { ref, commit: saved.commit, failures: 0 });
  return saved.commit;
}

/** Returns "none" where there is no worktree that an agent could have worked in; rethrows other errors. */
function noWorktree(error: unknown): "none" {
  if (error instanceof GitError && error.code === "missing_worktree") return "none";
  throw error;
}

/** Deletes the agent's directories. A failure only wastes disk space, so the slot does not wait for it. */
async function dropDirectories({ directories, log }: EngineContext, agentId: number): Promise<void> {
  try {
    await directories.drop(agentId);
  } catch (error) {
    log.warn({ error: messageOf(error) }, "directories of an ended agent not deleted");
  }
}
