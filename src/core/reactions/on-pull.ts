import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import { isOpenTask, type TaskState } from "../machines/task.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, type Move, NOTHING, type Reaction, type View } from "../reaction.ts";
import { cancel, wake } from "./on-issue.ts";
import { birthOf, tasksFor } from "./start-role.ts";

/** What a task loses with its pull request; a claimed one, and one whose coder lives, is given back by its coder. */
export const RELEASED: readonly TaskState[] = [
  "READY_FOR_REVIEW",
  "REJECTED",
  "APPROVED",
  "INTEGRATION_FAILED",
];

const holds = (agent: AgentRecord, { task }: View) => agent.coder && task?.assigneeId === agent.id;

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
        event: { ...base, type: "OBSERVED_MERGED", commit: occurrence.mergeCommit },
      });
    else if (
      RELEASED.includes(view.task.state) &&
      !owners.some((agent) => isLive(agent) && holds(agent, view))
    )
      task.push({ machine: "task", id: view.task.id, event: { ...base, type: "RELEASE", failed: null } });
  }
  const agents = owners.filter(isLive).map(
    (agent): Move =>
      occurrence.merged
        ? {
            machine: "agent",
            id: agent.id,
            event: { ...base, type: "COMPLETE", cause: "merged", summary: `#${occurrence.pull} was merged` },
          }
        : cancel(occurrence, agent, `#${occurrence.pull} was closed without a merge`),
  );
  return {
    ...NOTHING,
    // The agents first: a cancelled coder releases a task that it still holds.
    moves: [...agents, ...task],
    effects: [{ kind: "status_comment" }],
  };
}

/** A person says that our pull request is not ready; its agents go on, and nothing of it is merged meanwhile. */
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

/** A rejection of what is up for review. */
function rejects(
  occurrence: OccurrenceOf<"reviewed">,
  { task, settings }: View,
  reason: string,
): readonly Move[] {
  if (occurrence.verdict !== "changes_requested" || task?.state !== "READY_FOR_REVIEW") return [];
  const { at } = occurrence;
  const { maxCycles } = settings.review;
  const actor = occurrence.actor.login;
  return [
    {
      machine: "task",
      id: task.id,
      event: { at, actor, type: "REJECT", reason, maxCycles, leaseToken: null },
    },
  ];
}

/** A review wakes an agent once, whoever tells of it: the webhook, or the list of reviews. */
function reviewWake(occurrence: OccurrenceOf<"reviewed">, owner: AgentRecord, detail: string) {
  const key = `${occurrence.source}:${owner.id}`;
  return { ...wake(occurrence, owner, "review", detail), key };
}

/** Wakes the owner; a request for changes rejects what is under review, and reopens finished work. */
export function onReviewed(occurrence: OccurrenceOf<"reviewed">, view: View): Reaction {
  const owner = view.agents.findLast((agent) => agent.branch === occurrence.headRef);
  const by = occurrence.actor.login;
  if (owner === undefined) return decided("not_ours", `#${occurrence.pull} is not a pull request of ours`);
  if (!occurrence.permitted) return decided("not_permitted", `@${by} has no write permission`);
  const words = occurrence.verdict.replace("_", " ");
  const detail = `@${by} reviewed #${occurrence.pull}: ${words}. ${occurrence.body}`.trim();
  const rejected = rejects(occurrence, view, detail);
  const rounds = 1 + (view.task?.reviewCyclesCurrent ?? 0);
  if (rejected.length > 0 && rounds >= view.settings.review.maxCycles)
    return joined(
      { ...NOTHING, moves: rejected },
      decided("review_deadlock", `#${occurrence.pull} was rejected ${rounds} times in a row`, {
        agentId: owner.id,
        change: "say what is to be done differently and `/flotilla retry`, or `/flotilla start`",
        shown: true,
      }),
    );
  if (isLive(owner)) return { ...NOTHING, moves: rejected, wakes: [reviewWake(occurrence, owner, detail)] };
  if (owner.state !== "COMPLETED" || occurrence.verdict !== "changes_requested")
    return decided("nothing_to_do", `${owner.name} is ${owner.state}, the review says ${words}`, {
      agentId: owner.id,
    });
  const role = view.settings.roles.get(owner.role);
  if (role === undefined)
    return decided("no_role", `there is no role ${owner.role} any more`, { agentId: owner.id });
  const base = { at: occurrence.at, actor: by };
  return {
    ...NOTHING,
    moves: [
      ...rejected,
      ...tasksFor(role, view, { ...base, issue: { title: `Issue #${view.issue}`, labels: [] } }),
      {
        machine: "agent",
        id: null,
        event: {
          ...base,
          type: "REOPEN",
          birth: birthOf(role, view, occurrence.at, owner),
          entry: { assignedTo: null },
          previous: owner,
          why: detail,
        },
      },
    ],
  };
}
