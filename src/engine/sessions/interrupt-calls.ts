import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";

/**
 * Marks running tool calls as interrupted: those of one agent at the end of an exchange, or all (null) after
 * a start.
 */
export async function interruptCalls(context: EngineContext, agentId: number | null): Promise<void> {
  await context.store.transaction(async (tables) => {
    for (const call of await tables.toolCalls.interrupt({ agentId, at: context.clock.now() })) {
      const [agent] = await readable(tables, "agent", { id: call.agentId });
      if (agent === undefined) continue;
      const { toolCallId, tool } = call;
      await appendRunEvents(context, tables, subjectOf(agent), [
        {
          type: "tool:result",
          data: { call: toolCallId, tool, status: "interrupted", output: "", duration_ms: null },
        },
      ]);
    }
  });
}
