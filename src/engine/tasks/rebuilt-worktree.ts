import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { WorktreePrepared } from "../../domain/ports/worktrees.ts";
import { type CheckpointRow, rebuilt } from "../../domain/tasks/checkpoint.ts";
import { recordDecision } from "../kernel/record-decision.ts";

/** Tells people and the agent that its worktree was gone, what is back and what is lost; says nothing of one that was there. */
export async function tellOfRebuilding(
  tables: Tables,
  agent: AgentRecord,
  {
    prepared,
    known,
    at,
  }: {
    readonly prepared: WorktreePrepared;
    readonly known: CheckpointRow | undefined;
    readonly at: number;
  },
): Promise<void> {
  if (prepared.origin === "existing") return;
  const { id: agentId, repositoryId, issue } = agent;
  const reason = rebuilt(agent.name, prepared, known);
  const about = { agentId, repositoryId, issue, at, change: null, delivery: null, inputs: null };
  await recordDecision(tables, { rule: "worktree_rebuilt", reason, ...about }, true);
  await tables.wakes.add({
    key: `rebuilt:${agentId}:${agent.token}`,
    agentId,
    reason: "message",
    detail: `${reason}. Look at your files before you go on: they may be older than what you remember.`,
    grant: null,
    dueAt: at,
    createdAt: at,
  });
}
