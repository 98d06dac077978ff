import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { ranTexts } from "../../domain/review/evidence-cited.ts";
import { rejectedBy } from "../../domain/review/rejected-by.ts";
import type { ReviewLeaseRecord } from "../../domain/review/review-lease.ts";
import { commitUnderReview, type VerdictFacts } from "../../domain/review/verdict-fault.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";

/** Reads the facts that a verdict is checked against, with their records; none of these on a person's pull request. */
export async function verdictFacts(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
): Promise<VerdictFacts & { readonly task: TaskRecord | null; readonly lease: ReviewLeaseRecord | null }> {
  const shell = context.roleOf(agent)?.capabilities.includes("shell") ?? false;
  const ran = ranTexts(await tables.toolCalls.ofAgent(agent.id), {
    shell,
    runtimeTools: runtimeToolsOf(context, agent),
  });
  if (isOnPull(agent)) return { commit: agent.headCommit, rejectedBy: [], ran, task: null, lease: null };
  const task = (await taskOf(tables, agent.repositoryId, agent.issue)) ?? null;
  const [lease = null] = task === null ? [] : await tables.records.find("review_lease", { taskId: task.id });
  const commit = commitUnderReview(agent.id, task, lease);
  const verdicts = task === null ? [] : await tables.verdicts.ofTask(task.id);
  return { commit, rejectedBy: rejectedBy(verdicts, task?.reviewCommit ?? null), ran, task, lease };
}
