import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { ranTexts } from "../../domain/review/evidence-cited.ts";
import { rejectedBy } from "../../domain/review/rejected-by.ts";
import type { ReviewLeaseRecord } from "../../domain/review/review-lease.ts";
import type { VerdictFacts } from "../../domain/review/verdict-fault.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";

/** Reads the facts that a verdict is checked against, with their records. */
export async function verdictFacts(
  context: EngineContext,
  tables: Tables,
  agent: AgentRecord,
): Promise<VerdictFacts & { readonly task: TaskRecord | null; readonly lease: ReviewLeaseRecord | null }> {
  const task = (await taskOf(tables, agent.repositoryId, agent.issue)) ?? null;
  const leases = task === null ? [] : await tables.records.find("review_lease", { taskId: task.id });
  const shell = context.roleOf(agent)?.capabilities.includes("shell") ?? false;
  const ran = ranTexts(await tables.toolCalls.ofAgent(agent.id), {
    shell,
    runtimeTools: runtimeToolsOf(context, agent),
  });
  const verdicts = task === null ? [] : await tables.verdicts.ofTask(task.id);
  const people = rejectedBy(verdicts, task?.reviewCommit ?? null);
  return { agentId: agent.id, task, lease: leases[0] ?? null, rejectedBy: people, ran };
}
