import type { AgentEvent, Replanner } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { notItsWake } from "../agents/own-wake.ts";
import type { Role } from "../agents/role.ts";
import { oneLine } from "../messages/format.ts";
import { REPLANNING } from "../tasks/escalation.ts";

/** Only a person can replan. */
export const NO_REPLANNER: Replanner = { agent: null, role: null };

/** Returns true for a role that may decide about a blocked task. */
export function canReplan({ tools }: Pick<Role, "tools">): boolean {
  return tools.includes("rescope_task");
}

/** Returns true when a message reaches the agent now: it is at work, or in a sleep that a message ends. */
export function canReceiveMessage(agent: Pick<AgentRecord, "state" | "sleepReason" | "heldBy">): boolean {
  if (agent.state === "ACTIVE") return true;
  return agent.state === "SLEEPING" && agent.heldBy.length === 0 && notItsWake(agent, "message") === null;
}

/** Makes the agent wait until a planner or a person replans its task; its work and its conversation are kept. */
export function needsReplanning(
  { at, replanner }: { readonly at: number; readonly replanner: Replanner },
  reason: string,
): AgentEvent {
  return {
    type: "ESCALATE",
    at,
    actor: "agent",
    reason: `its task needs replanning: ${reason}`,
    category: REPLANNING,
    question: null,
    breaker: null,
    replanning: { reason, replanner },
  };
}

/** Returns the message to the planner about it. */
export function replanningMessage(
  { name, issue }: Pick<AgentRecord, "name" | "issue">,
  reason: string,
): string {
  return `${name} says that the task of #${issue} needs replanning; it is BLOCKED until that is done. Say with rescope_task what is to be done otherwise, or open other parts with create_sub_issue and finalize_plan and put one in its place with supersede_task. Its reason: ${oneLine(reason)}`;
}

/** Returns what a planner reads about the task of its own issue in its first message. */
export function blockedMessage(issue: number, reason: string): string {
  return `The task of #${issue} is BLOCKED and waits for you to replan it: ${oneLine(reason)}. Read the issue with its comments, then use rescope_task or supersede_task.`;
}
