import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { hasApproved } from "../../domain/review/review-due.ts";
import type { TaskRecord } from "../../domain/tasks/task.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** What a reviewer that is to start finds: the review that it may begin, or why there is none for it. Null for others. */
export async function reviewOf(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  { wish, task }: { readonly wish: AgentEvent; readonly task: TaskRecord | undefined },
): Promise<GuardContext["review"]> {
  if (wish.type !== "START" || context.roleOf(agent)?.evidence !== "verdict") return null;
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
