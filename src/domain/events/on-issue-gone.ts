import { isLive } from "../agents/agent-record.ts";
import { blockerWake, issueOf } from "../blockers/blocker-wake.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { goneNext, goneWhy } from "../tasks/issue-gone.ts";
import { isOpenTask } from "../tasks/task-record.ts";
import type { DomainEventOf } from "./domain-event.ts";

/** The issue is no longer here: its agents end, who waits for it is woken, and nothing is written where it was. */
export function onIssueGone(event: DomainEventOf<"issue_gone">, view: IssueState): ChangeSet {
  const { at, to } = event;
  const actor = event.actor.login;
  const how = to === null ? "deleted" : `transferred to ${to}`;
  const why = goneWhy(to);
  const ended = view.agents.filter(isLive).map(
    (agent): Move => ({
      machine: "agent",
      id: agent.id,
      event: { type: "CANCEL", at, actor, why, quiet: true, gone: true },
    }),
  );
  const task: readonly Move[] =
    view.task === null || !isOpenTask(view.task)
      ? []
      : [
          {
            machine: "task",
            id: view.task.id,
            event: { type: "OBSERVED_CLOSED", at, actor, why },
          },
        ];
  const wakes = view.waiting.map((agent) => blockerWake(agent, issueOf(event), `was ${how}`, event));
  return mergeChanges(
    // The agents first: a cancelled coder releases a task that it still holds.
    { ...NO_CHANGES, moves: [...ended, ...task], wakes },
    decisionOnly("issue_gone", `@${actor} ${how === "deleted" ? how : "moved"} the issue${moved(to)}`, {
      change: goneNext(to),
    }),
  );
}

function moved(to: string | null): string {
  return to === null ? "" : ` to ${to}`;
}
