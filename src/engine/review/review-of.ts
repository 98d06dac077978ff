import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import { isOnPull } from "../../domain/agents/agent-record.ts";
import { newestCommit } from "../../domain/agents/agent-task.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { rejectedBy } from "../../domain/review/rejected-by.ts";
import { hasApproved } from "../../domain/review/review-due.ts";
import type { EngineContext, Guarded } from "../kernel/engine-context.ts";

/** Returns the review that a starting reviewer may begin, or why there is none; null for other roles. */
export async function reviewOf(
  context: EngineContext,
  tables: Tables,
  { agent, event, task }: Guarded,
): Promise<GuardContext["review"]> {
  if (event.type !== "START" || isOnPull(agent) || context.roleOf(agent)?.evidence !== "verdict") return null;
  if (task?.state !== "READY_FOR_REVIEW") return "nothing of this issue is up for review";
  const held = await tables.records.find("review_lease", { taskId: task.id, state: "HELD" });
  if (held.length > 0) return "another reviewer is at work on it";
  if (hasApproved(task, agent.role)) return `${agent.role} has given its verdict on this commit`;
  return {
    taskId: task.id,
    authorId: task.assigneeId,
    leaseMs: context.settingsOf(agent.repositoryId).review.leaseMs,
  };
}

/** Events that depend on a rejection that counts, or explain to people what they can do about it. */
const MINDS_REJECTION: readonly AgentEvent["type"][] = ["COMPLETE", "ESCALATE", "WAIT"];

/** Returns the people whose request for changes to the agent's newest commit stands. */
export async function rejectersOf(
  _: EngineContext,
  { verdicts }: Tables,
  { agent, event, task }: Guarded,
): Promise<readonly string[]> {
  if (!MINDS_REJECTION.includes(event.type) || task === undefined) return [];
  return rejectedBy(await verdicts.ofTask(task.id), newestCommit(agent, task)).map(
    ({ reviewer }) => reviewer,
  );
}
