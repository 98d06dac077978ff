import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { NO_PROGRESS } from "../../domain/breakers/progress-memory.ts";
import { type HandoffCause, hostHandoff } from "../../domain/conversation/handoff.ts";
import type { Move } from "../../domain/kernel/change-set.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

/** Moves to take, and what is written with them in the same transaction. */
export interface HandedOver {
  readonly moves: readonly Move[];
  readonly also: (tables: Tables) => Promise<void>;
}

/** Returns the moves of a handoff. The host writes it, unless the agent has `written` its own. */
export async function handOver(
  context: EngineContext,
  agent: AgentRecord,
  cause: {
    cause: HandoffCause;
    why: string;
    repeated?: string;
    written?: boolean;
    messages: readonly string[];
  },
): Promise<HandedOver> {
  const at = context.clock.now();
  const text =
    cause.written === true
      ? null
      : hostHandoff({
          plan: (await runOf(context.store, agent.id))?.plan ?? null,
          files: await changedFiles(context, agent),
          messages: cause.messages,
        });
  return {
    moves: [agentMove(agent, { type: "HANDOFF", at, actor: "flotilla", why: cause.why })],
    also: async (tables) => {
      if (text === null) return;
      await tables.handoffs.add({
        agentId: agent.id,
        sessionId: agent.sessionId,
        cause: cause.cause,
        writtenBy: "host",
        ...text,
        repeated: cause.repeated ?? null,
        createdAt: at,
      });
    },
  };
}

async function changedFiles(context: EngineContext, agent: AgentRecord): Promise<readonly string[]> {
  try {
    const ref = await worktreeOf(context, agent);
    if (ref === null || agent.baseCommit === null) return [];
    const committed = (await context.worktrees.diff(ref, agent.baseCommit, 0)).files;
    const { changed } = await context.worktrees.status(ref);
    return [...new Set([...committed, ...changed])];
  } catch (error) {
    // A handoff without its list of files is better than none.
    context.log.warn({ error: messageOf(error), agent: agent.name }, "files not read for the handoff");
    return [];
  }
}

/** Returns whether the agent wrote a handoff after it was asked to. */
export async function hasHandedOver(
  context: EngineContext,
  agent: AgentRecord,
  since: number,
): Promise<boolean> {
  const last = (await context.store.handoffs.ofAgent(agent.id)).at(-1);
  return last !== undefined && last.sessionId === agent.sessionId && last.createdAt >= since;
}

/** Returns whether the agent was restarted for missing progress and no person has let it continue since. */
export async function triedAnotherWay(context: EngineContext, agent: AgentRecord): Promise<boolean> {
  const moves = await context.store.transitions.ofAgent(agent.id);
  const last = moves.findLast(
    ({ machine, event, reason }) =>
      machine === "agent" && (event === "RESUME" || (event === "HANDOFF" && reason?.startsWith(NO_PROGRESS))),
  );
  return last?.event === "HANDOFF";
}
