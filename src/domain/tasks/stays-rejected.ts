import type { GuardContext, ResolvedAgentEventOf } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { RESUMABLE } from "../breakers/hold.ts";
import type { GuardRefusal } from "../kernel/state-machine.ts";
import { personNamed } from "../status/person-named.ts";
import { pullOf } from "./next-of-work.ts";

/**
 * Why a person's word does not end a coder: its work was rejected, and nobody would change it any more; or the commit that
 * would go up for review is one of which somebody requests changes. A request for changes stands until its author approves,
 * it is dismissed, or another commit is up for review. A merge takes the work all the same. Where checks rejected the work and a
 * person is asked what to do, complete is one of the answers: the person does the rest.
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

/** Returns the people whose request for changes keeps it from being taken as complete. */
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
