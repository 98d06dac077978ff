import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import { isOpenTask, type TaskRecord, type TaskState } from "../machines/task.ts";
import type { TaskEvent } from "../machines/task-event.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import { cancel } from "./on-issue.ts";
import { reviewerRoles } from "./review-due.ts";

/** What a task loses with its pull request; a claimed one, and one whose coder lives, is given back by its coder. */
export const RELEASED: readonly TaskState[] = [
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
];

const holds = (agent: AgentRecord, { task }: View) => agent.coder && task?.assigneeId === agent.id;

/** Ours, of approved work, is told here when the process died before it knew; what a person merged is a fact. */
function mergeOf({ at, actor, own, mergeCommit }: OccurrenceOf<"pull_closed">, task: TaskRecord): TaskEvent {
  const { state, reviewCommit: head } = task;
  if (own && state === "APPROVED" && head !== null && mergeCommit !== null)
    return { at, actor: "flotilla", type: "MERGE", head, checksGreen: true, mergeCommit };
  return { at, actor: actor.login, type: "OBSERVED_MERGED", commit: mergeCommit };
}

/** Its merge failed, and its coder is to fix that or at it. */
function isMended({ state, integrationFix }: TaskRecord): boolean {
  return state === "INTEGRATION_FAILED" || (state === "CLAIMED" && integrationFix);
}

/** A pull request of ours was merged, or closed without a merge. */
export function onPullClosed(occurrence: OccurrenceOf<"pull_closed">, view: View): Reaction {
  const base = { at: occurrence.at, actor: occurrence.actor.login };
  const owners = view.agents.filter((agent) => agent.branch === occurrence.headRef);
  if (owners.length === 0) return decided("not_ours", `#${occurrence.pull} is not a pull request of ours`);
  const task: Move[] = [];
  if (view.task !== null && isOpenTask(view.task)) {
    if (occurrence.merged)
      task.push({
        machine: "task",
        id: view.task.id,
        event: mergeOf(occurrence, view.task),
      });
    else if (
      owners.some((agent) => isLive(agent) && holds(agent, view))
        ? // Its coder leaves the failed merge to others, and without the pull request there is nothing to fix.
          isMended(view.task)
        : RELEASED.includes(view.task.state)
    )
      task.push({ machine: "task", id: view.task.id, event: { ...base, type: "RELEASE", failed: null } });
  }
  // Merged work of an earlier attempt ends the task, and with it whoever works on it now.
  const ended = view.agents.filter(
    (agent) => isLive(agent) && (owners.includes(agent) || (occurrence.merged && holds(agent, view))),
  );
  const agents = ended.map(
    (agent): Move =>
      occurrence.merged
        ? {
            machine: "agent",
            id: agent.id,
            event: { ...base, type: "COMPLETE", cause: "merged", summary: `#${occurrence.pull} was merged` },
          }
        : cancel(occurrence, agent, `#${occurrence.pull} was closed without a merge`),
  );
  const goesOn = view.agents.find((agent) => isLive(agent) && agent.coder && !ended.includes(agent));
  return joined(endOf(occurrence, goesOn), {
    ...NOTHING,
    // The agents first: a cancelled coder releases a task that it still holds.
    moves: [...agents, ...task],
  });
}

/** Tells `why` and the status comment how the pull request ended; `goesOn` = a coder whose work that does not end. */
function endOf(
  { pull, merged, own, actor }: OccurrenceOf<"pull_closed">,
  goesOn: AgentRecord | undefined,
): Reaction {
  const by = own ? "Flotilla" : `@${actor.login}`;
  const change = goesOn === undefined ? {} : { change: `nothing: ${goesOn.name} continues` };
  return merged
    ? decided("merged", `#${pull} was merged by ${by}`, {
        change: "nothing: the work is done",
        ...change,
        shown: true,
      })
    : decided("pull_closed", `#${pull} was closed without a merge, by ${by}`, {
        change: "say `/flotilla start`, which starts again",
        ...change,
        shown: true,
      });
}

/** A person says that our pull request is not ready; its agents continue, and nothing of it is merged meanwhile. */
export function onPullDrafted(occurrence: OccurrenceOf<"pull_drafted">, view: View): Reaction {
  const owner = view.agents.findLast(({ branch }) => branch === occurrence.headRef);
  if (owner === undefined) return decided("not_ours", `#${occurrence.pull} is not a pull request of ours`);
  return decided(
    "pull_draft",
    `@${occurrence.actor.login} made #${occurrence.pull} a draft: it is not merged`,
    {
      agentId: owner.id,
      change: "marking it ready for review",
      shown: true,
    },
  );
}

/** A draft no more: a review that waited for that is due. */
export function onPullReady(occurrence: OccurrenceOf<"pull_ready">, view: View): Reaction {
  const { headRef, pull, actor } = occurrence;
  const owner = view.agents.findLast(({ branch }) => branch === headRef);
  if (owner === undefined) return decided("not_ours", `#${pull} is not a pull request of ours`);
  if (view.task?.state === "READY_FOR_REVIEW" && reviewerRoles(view.settings).length > 0)
    return { ...NOTHING, effects: [{ kind: "offer_review", asked: null }] };
  return decided("nothing_to_do", `@${actor.login} marked #${pull} ready for review`, { agentId: owner.id });
}
