import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { StepContext, Stepped } from "../kernel/engine-context.ts";

/**
 * Adds the wake for an agent that slept only because it was paused, once its last holder has released it.
 * Adds none where one is pending or comes with the same request. A message does not count: it wakes no paused
 * agent.
 */
export async function wakeWhenFree(
  tx: StepContext,
  { after, event }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  const { state, sleepReason, heldBy, id: agentId, version } = after;
  if (event.type !== "RESUME" || state !== "SLEEPING" || sleepReason !== "paused" || heldBy.length > 0)
    return;
  if (tx.request.changes.wakes.some((wake) => wake.agentId === agentId && wake.reason !== "message")) return;
  const kept = await tx.tables.wakes.pending(agentId);
  if (kept.some(({ reason }) => reason !== "message")) return;
  const at = event.at;
  await tx.tables.wakes.add({
    key: `resumed:${agentId}:${version}`,
    agentId,
    reason: "resumed",
    detail: `${event.actor === "flotilla" ? "Flotilla" : `@${event.actor}`} lifted the pause: continue.`,
    grant: null,
    dueAt: at,
    createdAt: at,
  });
}
