import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { reportedText } from "../../domain/blockers/blockers.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Returns what a sleeper waits for, as text for people: issues by number, checks by name. */
export async function waitedFor(context: EngineContext, agent: AgentRecord): Promise<string> {
  const reported = reportedText(agent);
  if (reported.length > 0) return reported.join(", ");
  if (agent.sleepReason !== "checks") return agent.sleepReason ?? "nothing";
  // The move by which the agent fell asleep names the checks.
  const moves = await context.store.transitions.ofAgent(agent.id);
  const slept = moves.findLast(({ machine, event }) => machine === "agent" && event === "WAIT");
  return slept?.reason ?? "checks";
}
