import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** How often an agent's PAUSE is decided again when something else has moved it meanwhile. */
const TRIES = 5;

/** Who pauses an agent that something around it holds, and why. */
interface Pausing {
  readonly by: string;
  readonly why: string;
}

/**
 * Puts an agent at work to sleep (reason paused) because something around it holds it: its scope is paused, or the disk is
 * full. The wake that comes with it is taken once nothing holds the agent. Returns false when it is not at work.
 */
export async function pauseAtWork(
  context: EngineContext,
  agentId: number,
  pausing: Pausing,
): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    const agent = await context.store.records.get("agent", agentId);
    if (agent?.state !== "ACTIVE") return false;
    try {
      const { moved } = await advanceAgent(context, agent, pause(agent, pausing, context.clock.now()));
      return moved.length > 0;
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
  }
}

function pause(agent: AgentRecord, { by, why }: Pausing, at: number) {
  return {
    moves: [agentMove(agent, { type: "PAUSE", at, actor: by, holder: null, why })],
    wakes: [
      {
        key: `scope:${agent.id}:${agent.token}`,
        agentId: agent.id,
        reason: "resumed" as const,
        detail: `the pause is over (${why})`,
        grant: null,
        dueAt: at,
      },
    ],
  };
}
