import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { WakeTable } from "../../domain/ports/agent-tables.ts";
import type { RebaseResult } from "../../domain/ports/worktrees.ts";

/**
 * Returns the note for an agent whose work was rebased onto commits that somebody else pushed to its branch.
 */
export function rebaseNotice(
  agent: AgentRecord,
  { head, conflicts }: RebaseResult,
  at: number,
): Parameters<WakeTable["add"]>[0] {
  const settle =
    conflicts.length === 0
      ? ""
      : ` Both changed the same lines in ${conflicts.join(", ")}: settle the conflict markers there first.`;
  return {
    key: `taken-up:${agent.id}:${head}`,
    agentId: agent.id,
    reason: "message",
    detail: `somebody pushed commits to your branch (it is at ${head.slice(0, 7)} now). Keep their work. What you had not pushed lies on top of it as uncommitted changes.${settle}`,
    grant: null,
    dueAt: at,
    createdAt: at,
  };
}
