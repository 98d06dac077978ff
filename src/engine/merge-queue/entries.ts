import { mergesItself } from "../../domain/access/level-of.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { inOrder, isQueued, joinedAt, type QueueEntry } from "../../domain/merge-queue/queue.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { BranchComparison } from "../../domain/ports/worktrees.ts";
import { baseBranch } from "../../domain/tasks/base-branch.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { queuedTasks } from "./queued-tasks.ts";

/** Rows of one issue that are searched for its first approval. */
const ROWS_READ = 1000;

/** States of a coder that does nothing until a person has acted. */
const NOT_AT_IT: readonly AgentRecord["state"][] = ["ESCALATED", "CANCELLED", "FAILED"];

/** A task in the merge queue with what the database knows. */
interface Waiting {
  readonly task: TaskRecord;
  readonly coder: AgentRecord;
  readonly taskId: number;
  readonly joinedAt: number;
}

/** A task in the merge queue with what git knows as well. */
export interface MergeQueueEntry extends QueueEntry {
  readonly task: TaskRecord;
  readonly coder: AgentRecord;
  readonly comparison: BranchComparison;
}

/** Returns the repository's merge queues, one for each base branch, oldest first. */
async function queueOf(
  store: Pick<Tables, "records" | "transitions">,
  repositoryId: number,
): Promise<readonly Waiting[]> {
  const found: Waiting[] = [];
  for await (const task of queuedTasks(store, repositoryId)) {
    const [coder] = task.assigneeId === null ? [] : await readable(store, "agent", { id: task.assigneeId });
    if (coder === undefined) continue;
    const rows = await store.transitions.ofIssue(repositoryId, task.issue, ROWS_READ);
    const moves = rows.filter(({ machine, recordId }) => machine === "task" && recordId === task.id);
    found.push({ task, coder, taskId: task.id, joinedAt: joinedAt(moves) ?? task.createdAt });
  }
  return inOrder(found);
}

/**
 * Reads how the branches of the queue compare with their base branches; work without a branch is left out. `only`
 * limits the result to one task.
 */
export async function entriesOf(
  context: EngineContext,
  repository: RepositoryRow,
  only?: number,
): Promise<readonly MergeQueueEntry[]> {
  const queue = await queueOf(context.store, repository.id);
  const waiting = queue.flatMap((one) => {
    if (only !== undefined && one.taskId !== only) return [];
    const { branch } = one.coder;
    const approved = one.task.reviewCommit;
    return branch === null || approved === null ? [] : [{ ...one, candidate: { branch, approved } }];
  });
  if (waiting.length === 0) return [];
  const found: MergeQueueEntry[] = [];
  for (const [base, ofBase] of Map.groupBy(waiting, ({ task }) => baseBranch(task, repository))) {
    const candidates = ofBase.map(({ candidate }) => candidate);
    const comparisons = await context.worktrees.compareBranches(repository, base, candidates);
    for (const [index, one] of ofBase.entries()) {
      const comparison = comparisons[index];
      if (comparison !== undefined) found.push(entryOf(one, comparison));
    }
  }
  return inOrder(found);
}

function entryOf(
  { task, coder, taskId, joinedAt: at }: Waiting,
  comparison: BranchComparison,
): MergeQueueEntry {
  const { base, issue } = task;
  const { files } = comparison;
  const stopped = task.state !== "APPROVED" && (NOT_AT_IT.includes(coder.state) || coder.heldBy.length > 0);
  return { task, coder, taskId, joinedAt: at, issue, base, files, stopped, comparison };
}

/** Returns the task's position in the merge queue of its base branch, from 1; null when it is not queued. */
export async function positionInQueue(
  store: Pick<Tables, "records" | "transitions">,
  task: TaskRecord,
): Promise<{ readonly place: number; readonly of: number; readonly ahead: number | null } | null> {
  if (!isQueued(task)) return null;
  const all = await queueOf(store, task.repositoryId);
  const queue = all.filter((one) => one.task.base === task.base);
  const index = queue.findIndex(({ taskId }) => taskId === task.id);
  return index < 0
    ? null
    : { place: index + 1, of: queue.length, ahead: queue[index - 1]?.task.issue ?? null };
}

/** Returns the position where the repository's merge queue merges without people; null elsewhere. */
export async function positionInAutomaticQueue(
  { store, settings }: Pick<EngineContext, "store" | "settings">,
  task: TaskRecord | null,
): Promise<Awaited<ReturnType<typeof positionInQueue>>> {
  if (task?.state !== "APPROVED") return null;
  const repository = await store.repositories.get(task.repositoryId);
  return repository !== undefined && mergesItself(settings, fullName(repository))
    ? positionInQueue(store, task)
    : null;
}
