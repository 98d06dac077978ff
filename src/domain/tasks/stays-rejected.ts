import type { GuardContext, ResolvedAgentEventOf } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { RESUMABLE } from "../breakers/hold.ts";
import type { GuardRefusal } from "../kernel/state-machine.ts";
import { personNamed } from "../status/person-named.ts";
import { pullOf } from "./next-of-work.ts";

/**
 * Refuses a person's COMPLETE of a coder whose work was rejected, since nobody would change it, or whose newest commit
 * somebody requests changes of. A request counts until its author approves, it is dismissed, or another commit is under
 * review. A merge still accepts the work, as does a person who was asked about red checks.
 */
export function staysRejected(
  agent: AgentRecord,
  { around }: ResolvedAgentEventOf<"COMPLETE">,
): GuardRefusal | null {
  if (!agent.coder) return null;
  const merge = `merge ${pullOf(agent.prNumber)} on GitHub to take the work as it is`;
  const { task } = around;
  const isAsked = agent.state === "ESCALATED";
  if (task === "REJECTED" && !isAsked) {
    const isHeld = agent.heldBy.some((holder) => RESUMABLE.includes(holder));
    const next = isHeld ? "`/flotilla resume` lets its coder change it" : "its coder works on it again";
    return refusal("its work was rejected and is not changed yet", `${next}; ${merge}`);
  }
  const rejecters = rejectersOf(agent, around);
  if (rejecters.length === 0) return null;
  const people = rejecters.map(personNamed).join(" and ");
  return refusal(
    `the changes that ${people} requested of its newest commit are not made yet`,
    `let ${people} approve that commit or dismiss the request for changes on GitHub, and say it again; or ${merge}`,
  );
}

/** Returns the people whose request for changes keeps the work from being accepted as complete. */
export function rejectersOf(
  { coder }: Pick<AgentRecord, "coder">,
  { task, work }: Pick<GuardContext, "task" | "work">,
): readonly string[] {
  return coder && (task === "CLAIMED" || task === "REJECTED") ? work.rejectedBy : [];
}

const refusal = (reason: string, change: string): GuardRefusal => ({
  rule: "changes_requested",
  reason,
  keeps: false,
  change,
});
