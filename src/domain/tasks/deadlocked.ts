import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { ChangeSet, IssueState, Move } from "../kernel/change-set.ts";
import { NO_CHANGES } from "../kernel/change-set.ts";
import { inARow } from "../messages/format.ts";
import { DEADLOCK } from "./escalation.ts";
import { reopenWork } from "./reopen-work.ts";

/**
 * Returns the coder of a task that needs replanning and whose own work has ended; null where it continues or nobody is
 * left.
 */
export function endedCoder({ agents, task }: Pick<IssueState, "agents" | "task">): AgentRecord | null {
  const owner = task?.state === "BLOCKED" ? agents.find(({ id }) => id === task.assigneeId) : undefined;
  return owner === undefined || isLive(owner) || agents.some((one) => one.coder && isLive(one))
    ? null
    : owner;
}

/** Gives up work that needs replanning when a person ends its coder: nobody else would continue it. */
export function givesUp(
  task: IssueState["task"],
  { at, actor }: { at: number; actor: string },
): readonly Move[] {
  if (task?.state !== "BLOCKED") return [];
  return [{ machine: "task", id: task.id, event: { type: "ABANDON", at, actor } }];
}

/**
 * Reopens an ended coder after a review deadlock, on its branch, with `rounds` more rounds of review; null = as many as
 * `review.max_cycles`. Returns null where the issue does not wait for that.
 */
export function resumesDeadlocked(
  view: IssueState,
  { at, actor, rounds, said }: { at: number; actor: string; rounds: number | null; said: string },
): ChangeSet | null {
  const { task, settings } = view;
  const owner = endedCoder(view);
  const role = owner === null ? undefined : settings.roles.get(owner.role);
  if (task?.blockedReason !== DEADLOCK || owner === null || role === undefined) return null;
  const { maxCycles } = settings.review;
  const why = `${said} Its work was rejected ${inARow(task.reviewCyclesCurrent)}; the last reason: ${task.rejectionReason}`;
  const rescope: Move = {
    machine: "task",
    id: task.id,
    event: { type: "RESCOPE", at, actor, rounds: { by: [actor], count: rounds ?? maxCycles, maxCycles } },
  };
  return { ...NO_CHANGES, moves: [rescope, reopenWork(view, owner, { role, at, actor, why })] };
}
