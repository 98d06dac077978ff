import type { AgentRecord } from "../machines/agent-record.ts";
import { isLive } from "../machines/agent-record.ts";
import type { IssueFacts } from "../occurrence.ts";
import { type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import type { Role } from "../role.ts";
import { supersededComment } from "../text/sub-issue.ts";
import { cancel } from "./on-issue.ts";
import { birthOf, rescopes, tasksFor } from "./start-role.ts";
import { revives } from "./steer.ts";

interface When {
  readonly at: number;
  readonly actor: string;
}

/** A planner's sub-issue: its task is a draft, and its coder waits for that. `view` is the sub-issue's own; what has a task has begun. */
export function draftsPart(
  role: Role,
  view: View,
  { at, actor, title, parent }: When & { readonly title: string; readonly parent: AgentRecord },
): readonly Move[] {
  if (view.task !== null || view.agents.length > 0) return [];
  return [
    ...tasksFor(role, view, { at, actor, issue: { title, labels: ["draft"] } }),
    {
      machine: "agent",
      id: null,
      event: {
        type: "CREATE",
        at,
        actor,
        birth: { ...birthOf(role, view, at, null), parentAgentId: parent.id },
        entry: { assignedTo: null },
      },
    },
  ];
}

/** A blocked task is to be done otherwise: a new attempt of its last coder takes it, told why. */
export function rescopesTask(
  view: View,
  cause: When & { readonly issue: IssueFacts; readonly why: string },
): Reaction {
  const last = view.agents.findLast(({ coder }) => coder);
  if (last === undefined) return { ...NOTHING, moves: rescopes(view, cause) };
  const revived = revives({ ...last, reason: cause.why }, view, { ...cause, personPull: null });
  return revived ?? { ...NOTHING, moves: rescopes(view, cause) };
}

/** Another issue takes the place of a blocked task; whoever still lives there ends. */
export function supersedesTask(
  view: View,
  {
    at,
    actor,
    by,
    reason,
    planner,
  }: When & { readonly by: number; readonly reason: string; readonly planner: AgentRecord },
): Reaction {
  if (view.task === null) return NOTHING;
  const why = `#${by} takes the place of this issue`;
  return {
    ...NOTHING,
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
