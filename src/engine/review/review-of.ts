import type { AgentWish, Surroundings } from "../../core/machines/agent-event.ts";
import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { TaskRecord } from "../../core/machines/task.ts";
import type { Tables } from "../../core/ports/store.ts";
import { hasApproved } from "../../core/reactions/review-due.ts";
import type { EngineContext } from "../context.ts";

/** What a reviewer that is to start finds: the review that it may begin, or why there is none for it. Null for others. */
export async function reviewOf(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
  { wish, task }: { readonly wish: AgentWish; readonly task: TaskRecord | undefined },
): Promise<Surroundings["review"]> {
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
