import type { Replanner } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { replanningMessage } from "../../domain/planning/replanning.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { recordDecision } from "../kernel/record-decision.ts";

/**
 * Asks a planner to replan a task that became BLOCKED with its coder's move, and records for people why it
 * waits.
 */
export async function askForReplanning(
  tables: Tables,
  agent: AgentRecord,
  { reason, replanner, at }: { readonly reason: string; readonly replanner: Replanner; readonly at: number },
): Promise<void> {
  const { id: agentId, name, repositoryId, issue, token } = agent;
  const planner = replanner.agent;
  const asks = planner === null ? "it waits for a person" : `${planner.name} was asked to replan it`;
  await recordDecision(
    tables,
    {
      rule: "replanning",
      reason: `${name} says that its task needs replanning: ${reason} (${asks})`,
      change: null,
      agentId,
      inputs: { planner: planner?.name ?? null },
      at,
      repositoryId,
      issue,
      delivery: null,
    },
    false,
  );
  if (planner === null) return;
  await tables.wakes.add({
    key: `replanning:${agentId}:${token}`,
    agentId: planner.id,
    reason: "message",
    detail: replanningMessage(agent, reason),
    grant: null,
    dueAt: at,
    createdAt: at,
  });
}
