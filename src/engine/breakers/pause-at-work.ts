import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import { advanceAgent, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** How often the PAUSE is decided again when the agent has moved meanwhile. */
const TRIES = 5;

/** Who pauses the agent, and why. */
interface Pausing {
  readonly by: string;
  readonly why: string;
}

/**
 * Puts a working agent to sleep (reason paused) because its scope is paused or the disk is full. Adds the
 * wake that is taken once nothing holds the agent. Returns false when the agent is not at work.
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
