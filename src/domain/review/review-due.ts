import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { type Role, rolesForEvent } from "../agents/role.ts";
import { reviewerUse } from "../agents/runtime-choice.ts";
import { newAgentOf } from "../agents/start-role.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import type { Settings } from "../settings/settings.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { isSameReviewer, roleAs } from "./reviewer.ts";

/** Agents of a role that may end without a verdict on one commit; then a person reviews it. */
const MOST_ATTEMPTS = 3;

/** Returns the roles that review, in the order of the configuration. */
export function reviewerRoles({ roles }: Pick<Settings, "roles">): readonly Role[] {
  return rolesForEvent(roles, "task.ready_for_review").filter(({ evidence }) => evidence === "verdict");
}

export interface ReviewDue {
  readonly at: number;
  readonly task: TaskRecord;
  /** Null where the work has no pull request. */
  readonly pull: { readonly number: number; readonly draft: boolean } | null;
  /** The role that a person asked for by name; null when the review is only due. */
  readonly asked: string | null;
}

/**
 * Starts the next reviewer of the work under review: one at a time, each role without a verdict in turn, until there
 * are enough approvals. A role that a person asks for starts although the pull request is a draft, and although it
 * failed before.
 */
export function reviewDue({ at, task, pull, asked }: ReviewDue, view: IssueState): ChangeSet {
  const roles = reviewerRoles(view.settings);
  const names = roles.map(({ name }) => name);
  if (view.agents.some((agent) => isLive(agent) && names.includes(agent.role))) return NO_CHANGES;
  if (pull?.draft === true && asked === null)
    return decisionOnly("pull_draft", `#${pull.number} is a draft: no reviewer starts`, {
      change: "mark it ready for review",
      shown: true,
    });
  const silent = roles.filter(({ name }) => !hasApproved(task, name));
  const next = silent.find(({ name }) =>
    asked === null ? attempts(view.agents, name, task) < MOST_ATTEMPTS : name === asked,
  );
  if (next !== undefined) {
    const coder = view.agents.find(({ id }) => id === task.assigneeId);
    const { runtime, model, why } = reviewerUse(next, coder, view);
    const kept = { branch: null, prNumber: pull?.number ?? null };
    const newAgent = { ...newAgentOf(next, view, at, kept), runtime, model };
    const event = { type: "CREATE", at, actor: "flotilla", newAgent, entry: { assignedTo: null } } as const;
    return mergeChanges(
      { ...NO_CHANGES, moves: [{ machine: "agent", id: null, event }] },
      why === undefined ? NO_CHANGES : decisionOnly("review_differs", `${next.name} works with ${why}`),
    );
  }
  const [failed] = silent;
  if (failed !== undefined)
    return decisionOnly(
      "review_not_given",
      `${MOST_ATTEMPTS} agents of ${failed.name} ended without a verdict`,
      {
        change: `review it yourself, or say \`/flotilla start ${failed.name}\``,
        shown: true,
      },
    );
  const { reviewers } = view.settings.review;
  return decisionOnly(
    "reviewers_short",
    `${task.verdicts.length} of ${reviewers} approvals are given, and every reviewer has given its own`,
    { change: "a person with permission reviews it", shown: true },
  );
}

/** Returns whether an agent of that role has approved the work under review. */
export function hasApproved({ verdicts }: Pick<TaskRecord, "verdicts">, role: string): boolean {
  return verdicts.some((verdict) => isSameReviewer(verdict, roleAs(role)));
}

/** Counts the agents of the role that ended after they saw the commit; one that never began does not count. */
function attempts(agents: readonly AgentRecord[], role: string, task: TaskRecord): number {
  return agents.filter((agent) => agent.role === role && agent.headCommit === task.reviewCommit).length;
}
