import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { advanceHolder, agentMove } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Hands an agent that cannot work to a person: what its repository needs beside it does not start. */
export async function askAboutSetup(
  context: EngineContext,
  agent: AgentRecord,
  { reason, question }: { readonly reason: string; readonly question: string },
): Promise<void> {
  const at = context.clock.now();
  const event = {
    type: "ESCALATE",
    at,
    actor: "flotilla",
    reason,
    category: "setup",
    question,
    breaker: null,
  } as const;
  await advanceHolder(context, agent, { moves: [agentMove(agent, event)] });
}
