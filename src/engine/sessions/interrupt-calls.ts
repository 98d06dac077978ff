import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext, StepContext, Stepped } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";

/** The output of a call that was cut off before the gate, or a person, let it go. */
const NEVER_RAN = "It never ran.";

/**
 * Marks open tool calls as interrupted: those of one agent at the end of an exchange, or all (null) after
 * a start. A call that waits for a person stays pending. A pending call never ran; a running one may have.
 */
export async function interruptCalls(context: EngineContext, agentId: number | null): Promise<void> {
  await context.store.transaction((tables) => interruptIn(context, tables, agentId));
}

/** Interrupts the calls for which an agent waited that ended without the answer. */
export async function endAwaitedCalls(
  { context, tables }: StepContext,
  { before, after }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (before === undefined || before.state === "ACTIVE" || isLive(after)) return;
  await interruptIn(context, tables, after.id);
}

async function interruptIn(context: EngineContext, tables: Tables, agentId: number | null): Promise<void> {
  const cut = { agentId, neverRan: NEVER_RAN, at: context.clock.now() };
  for (const call of await tables.toolCalls.interrupt(cut)) {
    const [agent] = await readable(tables, "agent", { id: call.agentId });
    if (agent === undefined) continue;
    const { toolCallId, tool, output } = call;
    await appendRunEvents(context, tables, subjectOf(agent), [
      {
        type: "tool:result",
        data: { call: toolCallId, tool, status: "interrupted", output: output ?? "", duration_ms: null },
      },
    ]);
  }
}
