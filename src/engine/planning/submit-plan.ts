import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { leavePlanning } from "./leave-planning.ts";
import { askForPlan, needsPlan } from "./plan-first.ts";

/**
 * Keeps the plan with the run and ends planning, or the adapting after a claim that did not hold. Where a plan comes
 * first, a person is asked about it.
 */
export async function submitPlan(
  context: EngineContext,
  agent: AgentRecord,
  plan: string,
): Promise<ToolAnswer> {
  if (await needsPlan(context, agent.id)) return askForPlan(context, agent, plan);
  switch (await leavePlanning(context, agent, plan)) {
    case "executing":
      return { ok: true, text: "Your plan is recorded. Continue with its first step." };
    case "kept":
      return { ok: false, text: "Planning is over already; continue with the work." };
    case "fenced":
      return { ok: false, text: "Your period is over; nothing was recorded." };
  }
}
