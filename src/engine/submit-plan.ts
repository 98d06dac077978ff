import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { ToolAnswer } from "../core/ports/agent-runtime.ts";
import type { EngineContext } from "./context.ts";
import { leavePlanning } from "./leave-planning.ts";

/** Keeps the plan with the run and ends planning, or the adapting after a claim that did not hold. */
export async function submitPlan(
  context: EngineContext,
  agent: AgentRecord,
  plan: string,
): Promise<ToolAnswer> {
  switch (await leavePlanning(context, agent, plan)) {
    case "executing":
      return { ok: true, text: "Your plan is recorded. Go on with its first step." };
    case "kept":
      return { ok: false, text: "Planning is over already; go on with the work." };
    case "fenced":
      return { ok: false, text: "Your period is over; nothing was recorded." };
  }
}
