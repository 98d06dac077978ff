import type { AgentRecord } from "../machines/agent-record.ts";
import { marksOf } from "../marks.ts";
import type { Move, View } from "../reaction.ts";
import type { Role } from "../role.ts";
import { birthOf } from "./start-role.ts";

/** A new attempt of the agent whose work was finished: `why` is what it is told, `at` in milliseconds since the epoch, `actor` a login or `flotilla`; branch and open pull request stay. */
export function reopened(
  view: View,
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
      birth: { ...birthOf(role, view, at, owner), ...marksOf(owner) },
      entry: { assignedTo: null },
      previous: owner,
      why,
    },
  };
}
