import type { EngineContext } from "./context.ts";
import { advanceAgent, runMove } from "./settle.ts";
import { runOf } from "./surroundings.ts";

/** planning or adapting → executing, because something is done now; nothing in any other phase. */
export async function leavePlanning(context: EngineContext, agentId: number): Promise<void> {
  const agent = await context.store.records.get("agent", agentId);
  const run = await runOf(context.store, agentId);
  if (agent?.state !== "ACTIVE" || run === undefined) return;
  const base = { at: context.clock.now(), actor: "agent" };
  if (run.state === "planning")
    await advanceAgent(context, agent, { moves: [runMove(run, { ...base, type: "PLAN_COMPLETE" })] });
  if (run.state === "adapting")
    await advanceAgent(context, agent, { moves: [runMove(run, { ...base, type: "ADAPTATION_COMPLETE" })] });
}
