import { isLive } from "../machines/agent-record.ts";
import { isOpenTask } from "../machines/task.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import { goneNext, goneWhy } from "../text/issue-gone.ts";
import { blockerWake, issueOf } from "./blocker-wake.ts";

/** The issue is no longer here: its agents end, who waits for it is woken, and nothing is written where it was. */
export function onIssueGone(occurrence: OccurrenceOf<"issue_gone">, view: View): Reaction {
  const { at, to } = occurrence;
  const actor = occurrence.actor.login;
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
  const wakes = view.waiting.map((agent) =>
    blockerWake(agent, issueOf(occurrence), `was ${how}`, occurrence),
  );
  return joined(
    // The agents first: a cancelled coder releases a task that it still holds.
    { ...NOTHING, moves: [...ended, ...task], wakes },
    decided("issue_gone", `@${actor} ${how === "deleted" ? how : "moved"} the issue${moved(to)}`, {
      change: goneNext(to),
    }),
  );
}

function moved(to: string | null): string {
  return to === null ? "" : ` to ${to}`;
}
