import { attributesOf } from "../agents/agent-attributes.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import type { Role } from "../agents/role.ts";
import { choiceOf } from "../agents/start-choice.ts";
import { newAgentOf } from "../agents/start-role.ts";
import type { IssueState, Move } from "../kernel/change-set.ts";

/**
 * Returns a new attempt of an agent whose work was finished, on its branch and open pull request. `why` = the message
 * to it, `at` in milliseconds since the epoch, `actor` a login or `flotilla`.
 */
export function reopenWork(
  view: IssueState,
  owner: AgentRecord,
  {
    role,
    at,
    actor,
    why,
  }: { readonly role: Role; readonly at: number; readonly actor: string; readonly why: string },
): Move {
  return {
    machine: "agent",
    id: null,
    event: {
      type: "REOPEN",
      at,
      actor,
      newAgent: { ...newAgentOf(role, view, at, owner), ...attributesOf(owner), ...choiceOf(owner) },
      entry: { assignedTo: null },
      previous: owner,
      why,
    },
  };
}
