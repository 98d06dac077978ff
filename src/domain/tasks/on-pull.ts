import { cancel } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  type Move,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { reviewerRoles } from "../review/review-due.ts";
import type { TaskEvent } from "./task-event.ts";
import type { Base } from "./task-record.ts";
import { isOpenTask, type TaskRecord, type TaskState } from "./task-record.ts";

/** What follows from each event of our pull requests. */
export const PULL_HANDLERS = {
  pull_closed: onPullClosed,
  pull_drafted: onPullDrafted,
  pull_ready: onPullReady,
};

/**
 * States in which a task is released with the end of its pull request; a claimed one, and one whose coder lives, is
 * released by its coder.
 */
export const RELEASED: readonly TaskState[] = [
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
];

const holds = (agent: AgentRecord, { task }: IssueState) => agent.coder && task?.assigneeId === agent.id;

/**
 * Returns the merge of the task. For approved work that Flotilla merged, this reports it if the process died before it
 * was stored; a person's merge is a fact in any state.
 */
function mergeOf({ at, actor, own, mergeCommit }: DomainEventOf<"pull_closed">, task: TaskRecord): TaskEvent {
  const { state, reviewCommit: head } = task;
  if (own && state === "APPROVED" && head !== null && mergeCommit !== null)
    return { at, actor: "flotilla", type: "MERGE", head, checksGreen: true, mergeCommit };
  return { at, actor: actor.login, type: "OBSERVED_MERGED", commit: mergeCommit };
}

/** Returns true while the coder fixes a failed merge, or could. */
function isMended({ state, integrationFix }: TaskRecord): boolean {
  return state === "INTEGRATION_FAILED" || (state === "CLAIMED" && integrationFix);
}

/** Handles the end of one of our pull requests: merged, or closed without a merge. */
function onPullClosed(event: DomainEventOf<"pull_closed">, view: IssueState): ChangeSet {
  const base = { at: event.at, actor: event.actor.login };
  const owners = view.agents.filter((agent) => agent.branch === event.headRef);
  if (owners.length === 0) return decisionOnly("not_ours", `#${event.pull} is not a pull request of ours`);
  const task: Move[] = [];
  if (view.task !== null && isOpenTask(view.task)) {
    if (event.merged)
      task.push({
        machine: "task",
        id: view.task.id,
        event: mergeOf(event, view.task),
      });
    else if (
      owners.some((agent) => isLive(agent) && holds(agent, view))
        ? // Its coder leaves the failed merge to others; without the pull request there is nothing to fix.
          isMended(view.task)
        : RELEASED.includes(view.task.state)
    )
      task.push({ machine: "task", id: view.task.id, event: { ...base, type: "RELEASE", failed: null } });
  }
  // A merge of an earlier attempt ends the issue's task, and the agents that work on it now.
  const ended = view.agents.filter(
    (agent) => isLive(agent) && (owners.includes(agent) || (event.merged && holds(agent, view))),
  );
  const agents = ended.map(
    (agent): Move =>
      event.merged
        ? {
            machine: "agent",
            id: agent.id,
            event: { ...base, type: "COMPLETE", cause: "merged", summary: `#${event.pull} was merged` },
          }
        : cancel(event, agent, `#${event.pull} was closed without a merge`),
  );
  const goesOn = view.agents.find((agent) => isLive(agent) && agent.coder && !ended.includes(agent));
  return mergeChanges(endOf(event, goesOn, view.newestTask?.base ?? null), {
    ...NO_CHANGES,
    // The agents first: a cancelled coder releases a task that it still holds.
    moves: [...agents, ...task],
  });
}

/**
 * Records how the pull request ended, for `why` and the status comment; `goesOn` = a coder whose work does not end with
 * it.
 */
function endOf(
  { pull, merged, own, actor }: DomainEventOf<"pull_closed">,
  goesOn: AgentRecord | undefined,
  base: Base,
): ChangeSet {
  const by = own ? "Flotilla" : `@${actor.login}`;
  const change = goesOn === undefined ? {} : { change: `nothing: ${goesOn.name} continues` };
  return merged
    ? decisionOnly("merged", `#${pull} was merged${base === null ? "" : ` into \`${base}\``} by ${by}`, {
        change: "nothing: the work is done",
        ...change,
        shown: true,
      })
    : decisionOnly("pull_closed", `#${pull} was closed without a merge, by ${by}`, {
        change: "say `/flotilla start`, which starts again",
        ...change,
        shown: true,
      });
}

/**
 * Handles a person's conversion of our pull request to a draft: its agents continue, and it is not merged meanwhile.
 */
function onPullDrafted(event: DomainEventOf<"pull_drafted">, view: IssueState): ChangeSet {
  const owner = view.agents.findLast(({ branch }) => branch === event.headRef);
  if (owner === undefined) return decisionOnly("not_ours", `#${event.pull} is not a pull request of ours`);
  return decisionOnly("pull_draft", `@${event.actor.login} made #${event.pull} a draft: it is not merged`, {
    agentId: owner.id,
    change: "marking it ready for review",
    shown: true,
  });
}

/** Handles the end of a draft: a review that waited for it is due. */
function onPullReady(event: DomainEventOf<"pull_ready">, view: IssueState): ChangeSet {
  const { headRef, pull, actor } = event;
  const owner = view.agents.findLast(({ branch }) => branch === headRef);
  if (owner === undefined) return decisionOnly("not_ours", `#${pull} is not a pull request of ours`);
  if (view.task?.state === "READY_FOR_REVIEW" && reviewerRoles(view.settings).length > 0)
    return { ...NO_CHANGES, effects: [{ kind: "offer_review", asked: null }] };
  return decisionOnly("nothing_to_do", `@${actor.login} marked #${pull} ready for review`, {
    agentId: owner.id,
  });
}
