import { isLive } from "../agents/agent-record.ts";
import { limitsFor } from "../breakers/limits.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { reopenWork } from "../tasks/reopen-work.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { couldNotBeMerged, TAKE_OVER } from "./merge-text.ts";

export interface IntegrationFailure {
  readonly at: number;
  /** What wakes the coder or reopens its work: a conflict with the base branch, or the checks. */
  readonly cause: "base_moved" | "checks";
  readonly reason: string;
  /** The output of the checks, for the coder; empty where there is none. */
  readonly detail: string;
  /** How often the merge of this work has failed since a coder first claimed it. */
  readonly earlier: number;
}

/**
 * Sends approved work that cannot be merged back to its coder; no other agent wakes. A sleeper's wake counts towards
 * its `max_iterations`; finished work is reopened as often, then a person is asked.
 */
export function integrationFailed(
  view: IssueState,
  task: TaskRecord,
  { at, cause, reason, detail, earlier }: IntegrationFailure,
): ChangeSet {
  const failed: ChangeSet = {
    ...NO_CHANGES,
    moves: [
      { machine: "task", id: task.id, event: { type: "INTEGRATION_FAIL", at, actor: "flotilla", reason } },
    ],
  };
  const told = couldNotBeMerged(reason, detail);
  const owner = view.agents.find(({ id }) => id === task.assigneeId);
  const role = owner === undefined ? undefined : view.settings.roles.get(owner.role);
  if (owner !== undefined && isLive(owner))
    return mergeChanges(failed, {
      ...NO_CHANGES,
      wakes: [
        {
          key: `integration:${task.id}:v${task.version}`,
          agentId: owner.id,
          reason: cause,
          detail: told,
          grant: null,
          dueAt: at,
        },
      ],
    });
  const asks = (why: string) =>
    mergeChanges(
      failed,
      decisionOnly("merge_waits", `${reason}; ${why}`, { change: TAKE_OVER, shown: true }),
    );
  if (owner?.state !== "COMPLETED" || role === undefined) return asks("nobody is left who worked on it");
  const most = limitsFor(view.settings, role).maxIterations + owner.extraWakes;
  if (earlier >= most) return asks(`its merge has failed ${earlier} times before (max_iterations)`);
  return mergeChanges(failed, {
    ...NO_CHANGES,
    moves: [reopenWork(view, owner, { role, at, actor: "flotilla", why: told })],
  });
}
