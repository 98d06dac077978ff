import { cancel } from "../agents/agent-changes.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { isLive } from "../agents/agent-record.ts";
import type { Role } from "../agents/role.ts";
import { newAgentOf, rescopes, tasksFor } from "../agents/start-role.ts";
import { revives } from "../commands/steer.ts";
import type { IssueFacts } from "../events/domain-event.ts";
import { type ChangeSet, type IssueState, type Move, NO_CHANGES } from "../kernel/change-set.ts";
import type { Base } from "../tasks/task-record.ts";
import { supersededComment } from "./sub-issue-text.ts";

interface When {
  readonly at: number;
  readonly actor: string;
}

/**
 * Makes the task of a planner's sub-issue a draft, for which its coder waits. `view` is the sub-issue's own; an issue
 * with a task has begun and stays as it is.
 */
export function draftsPart(
  role: Role,
  view: IssueState,
  {
    at,
    actor,
    title,
    base,
    parent,
  }: When & { readonly title: string; readonly base: Base; readonly parent: AgentRecord },
): readonly Move[] {
  if (view.task !== null || view.agents.length > 0) return [];
  return [
    ...tasksFor(role, view, { at, actor, base, issue: { title, labels: ["draft"] } }),
    {
      machine: "agent",
      id: null,
      event: {
        type: "CREATE",
        at,
        actor,
        newAgent: { ...newAgentOf(role, view, at, null), parentAgentId: parent.id },
        entry: { assignedTo: null },
      },
    },
  ];
}

/** Gives a blocked task a new attempt of its last coder, with the planner's instruction. */
export function rescopesTask(
  view: IssueState,
  cause: When & { readonly issue: IssueFacts; readonly why: string },
): ChangeSet {
  const last = view.agents.findLast(({ coder }) => coder);
  if (last === undefined) return { ...NO_CHANGES, moves: rescopes(view, cause) };
  const revived = revives({ ...last, reason: cause.why }, view, { ...cause, personPull: null });
  return revived ?? { ...NO_CHANGES, moves: rescopes(view, cause) };
}

/** Ends a blocked task that another issue replaces, with the agents that still live on it. */
export function supersedesTask(
  view: IssueState,
  {
    at,
    actor,
    by,
    reason,
    planner,
  }: When & { readonly by: number; readonly reason: string; readonly planner: AgentRecord },
): ChangeSet {
  if (view.task === null) return NO_CHANGES;
  const why = `#${by} takes the place of this issue`;
  return {
    ...NO_CHANGES,
    moves: [
      { machine: "task", id: view.task.id, event: { type: "SUPERSEDE", at, actor, by, reason } },
      ...view.agents.filter(isLive).map((agent) => cancel({ at, actor: { login: actor } }, agent, why)),
    ],
    effects: [
      {
        kind: "post_comment",
        name: `superseded-${view.task.id}`,
        body: supersededComment({ role: planner.role, issue: by }, reason),
      },
      { kind: "status_comment" },
    ],
  };
}
