import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { ChangeSet, IssueState, Move } from "../kernel/change-set.ts";
import { NO_CHANGES } from "../kernel/change-set.ts";
import { inARow } from "../messages/format.ts";
import { DEADLOCK } from "./escalation.ts";
import { reopened } from "./reopened.ts";

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

/** Work that needs replanning ends with the word of a person who ends its coder: nobody else would take it up. */
export function givesUp(
  task: IssueState["task"],
  { at, actor }: { at: number; actor: string },
): readonly Move[] {
  if (task?.state !== "BLOCKED") return [];
  return [{ machine: "task", id: task.id, event: { type: "ABANDON", at, actor } }];
}

/**
 * After a review deadlock of a coder that has ended: it is reopened on its branch with `rounds` more rounds of review,
 * as many as `review.max_cycles` where null. Null where that is not what the issue waits for.
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
  return { ...NO_CHANGES, moves: [rescope, reopened(view, owner, { role, at, actor, why })] };
}
