import type { HandoffText } from "../core/handoff.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { ToolAnswer } from "../core/ports/agent-runtime.ts";
import type { EngineContext } from "./context.ts";

const KEPT = "Kept. A new conversation continues from it.";

/** What the agent leaves to its next conversation: once in each period, however often it is called. */
export async function writeHandoff(
  { store, clock }: EngineContext,
  agent: AgentRecord,
  handoff: HandoffText,
): Promise<ToolAnswer> {
  return store.transaction(async (tables): Promise<ToolAnswer> => {
    const current = await tables.records.get("agent", agent.id);
    if (current?.state !== "ACTIVE" || current.token !== agent.token)
      return { ok: false, text: "Your period is over." };
    const before = (await tables.handoffs.ofAgent(agent.id)).at(-1);
    const isKept =
      before?.writtenBy === "agent" &&
      before.sessionId === current.sessionId &&
      before.createdAt >= (current.activeSince ?? 0);
    if (!isKept)
      await tables.handoffs.add({
        agentId: agent.id,
        sessionId: current.sessionId,
        cause: "context",
        writtenBy: "agent",
        ...handoff,
        repeated: null,
        createdAt: clock.now(),
      });
    return { ok: true, text: KEPT };
  });
}
