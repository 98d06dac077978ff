import type { AgentRecord, SleepReason } from "../agents/agent-record.ts";
import type { Work } from "./trial-line.ts";

/** What an agent waits for that comes without a person and without another issue. */
const COMES_BY_ITSELF: readonly SleepReason[] = ["checks", "provider_limit", "retry", "restart", "time"];

/**
 * Returns how the work ended; null while it goes on. An agent that waits for a person has ended: nobody is there to answer,
 * and it did not do the work alone. Asking for a review is another way to say that the work is done. `isLowered`: the run may
 * cost less than its role may, because the budget ends.
 */
export function endOfWork(
  agent: Pick<AgentRecord, "state" | "sleepReason" | "reason" | "breaker">,
  { isLowered }: { readonly isLowered: boolean },
): Pick<Work, "end" | "reason"> | null {
  const { state, sleepReason, breaker } = agent;
  const reason = agent.reason ?? "";
  if (state === "CREATED" || state === "ACTIVE") return null;
  if (state === "COMPLETED") return { end: "completed", reason };
  if (state === "FAILED" || state === "CANCELLED") return { end: "failed", reason };
  if (isLowered && breaker === "max_cost_usd") return { end: "out_of_budget", reason };
  if (state === "ESCALATED" || sleepReason === null) return { end: "escalated", reason };
  if (sleepReason === "review") return { end: "completed", reason: "It asked for a review." };
  if (COMES_BY_ITSELF.includes(sleepReason)) return null;
  return {
    end: "escalated",
    reason: breaker === null ? `It sleeps: ${sleepReason}.` : `It met the limit ${breaker}.`,
  };
}
