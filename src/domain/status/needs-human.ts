import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { RESUMABLE } from "../breakers/hold.ts";
import type { TaskState } from "../tasks/task-record.ts";

/** The facts of an issue that decide whether a person must act. */
export interface AtIssue {
  readonly agents: readonly Pick<AgentRecord, "state" | "coder" | "heldBy" | "sleepReason">[];
  /** Its latest task. */
  readonly task: TaskState | null;
  /** Approved work here is merged by Flotilla. */
  readonly merges: boolean;
}

/** Returns whether a person paused the agent, or pushed to its branch. */
export function isHeldByPeople({ heldBy }: Pick<AgentRecord, "heldBy">): boolean {
  return heldBy.some((holder) => RESUMABLE.includes(holder));
}

/**
 * Returns whether anything of an issue continues only, or sooner, when a person acts; the dashboard lists the same
 * issues.
 */
export function needsHuman({ agents, task, merges }: AtIssue): boolean {
  const isReviewed = agents.some(({ coder, state }) => !coder && (state === "CREATED" || state === "ACTIVE"));
  const awaitsPeople = task === "READY_FOR_REVIEW" ? !isReviewed : task === "APPROVED" && !merges;
  const asks = agents.some((agent) => {
    if (!isLive(agent) || agent.state === "ACTIVE") return false;
    if (agent.state === "ESCALATED" || isHeldByPeople(agent)) return true;
    switch (agent.sleepReason) {
      case "paused":
      case "question":
      case "approval":
      case "retry":
      case "provider_limit":
        return true;
      case "review":
        return task === null ? !isReviewed : awaitsPeople;
      default:
        return false;
    }
  });
  const isAtIt = agents.some(({ coder, state }) => coder && (state === "CREATED" || state === "ACTIVE"));
  const hasCoder = agents.some((agent) => agent.coder && isLive(agent));
  const isLeft = (task === "REJECTED" || task === "INTEGRATION_FAILED") && !hasCoder;
  const isStuck = task === "BLOCKED" || isLeft;
  return asks || (!isAtIt && (awaitsPeople || isStuck));
}
