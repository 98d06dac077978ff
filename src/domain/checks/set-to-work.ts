import { type AgentRecord, isLive, type WakeReason } from "../agents/agent-record.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { reopenWork } from "../tasks/reopen-work.ts";
import type { TaskRecord } from "../tasks/task-record.ts";

/** Work under review, its coder, and what else is known of its issue. */
export interface Reviewed {
  readonly task: TaskRecord;
  readonly owner: AgentRecord;
  readonly view: IssueState;
}

/** Returns the move that rejects the work whatever reviewers say (rule CHECKS_FAIL of the task). */
export function rejectByChecks(task: TaskRecord, at: number, reason: string): Move {
  return { machine: "task", id: task.id, event: { type: "CHECKS_FAIL", at, actor: "flotilla", reason } };
}

/** Sends the work back to its coder: a sleeper wakes once for each `key`; work that was finished is reopened. */
export function setToWork(
  { task, owner, view }: Reviewed,
  given: {
    readonly at: number;
    /** Why, for people. */
    readonly reason: string;
    readonly wake: { readonly key: string; readonly reason: WakeReason };
    /** The message to the coder. */
    readonly detail: string;
  },
): ChangeSet {
  const { at, reason, wake, detail } = given;
  const back = rejectByChecks(task, at, reason);
  if (isLive(owner))
    return {
      ...NO_CHANGES,
      moves: [back],
      wakes: [{ ...wake, agentId: owner.id, detail, grant: null, dueAt: at }],
    };
  const role = view.settings.roles.get(owner.role);
  if (role === undefined)
    return decisionOnly("no_role", `there is no role ${owner.role} any more`, { agentId: owner.id });
  return {
    ...NO_CHANGES,
    moves: [back, reopenWork(view, owner, { role, at, actor: "flotilla", why: detail })],
  };
}
