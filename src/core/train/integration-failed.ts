import { isLive } from "../machines/agent-record.ts";
import type { TaskRecord } from "../machines/task.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { reopened } from "../reactions/reopened.ts";

export interface IntegrationFailure {
  readonly at: number;
  /** What woke or reopens its coder: the base that it conflicts with, or its checks. */
  readonly cause: "base_moved" | "checks";
  readonly reason: string;
  /** More for the coder: what its checks say. Empty where there is no more. */
  readonly detail: string;
}

/** Approved work that cannot be merged as it is goes back to the one coder that owns it; nobody else is woken. */
export function integrationFailed(
  view: View,
  task: TaskRecord,
  { at, cause, reason, detail }: IntegrationFailure,
): Reaction {
  const failed: Reaction = {
    ...NOTHING,
    moves: [
      { machine: "task", id: task.id, event: { type: "INTEGRATION_FAIL", at, actor: "flotilla", reason } },
    ],
  };
  const more = detail === "" ? "" : `\n${detail}`;
  const owner = view.agents.find(({ id }) => id === task.assigneeId);
  const role = owner === undefined ? undefined : view.settings.roles.get(owner.role);
  if (owner !== undefined && isLive(owner))
    return joined(failed, {
      ...NOTHING,
      wakes: [
        {
          key: `integration:${task.id}:v${task.version}`,
          agentId: owner.id,
          reason: cause,
          detail: `Your approved work could not be merged: ${reason}. Mend that, commit, and report again as before.${more}`,
          grant: null,
          dueAt: at,
        },
      ],
    });
  if (owner?.state !== "COMPLETED" || role === undefined)
    return joined(
      failed,
      decided("merge_waits", `${reason}; nobody is left who worked on it`, {
        change: "say `/flotilla start` or `/flotilla retry`, or mend it by hand",
        shown: true,
      }),
    );
  const why = `its approved work could not be merged: ${reason}${more}`;
  return joined(failed, { ...NOTHING, moves: [reopened(view, owner, { role, at, actor: "flotilla", why })] });
}
