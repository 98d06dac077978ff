import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, NO_CHANGES } from "../kernel/change-set.ts";
import { type AgentRecord, isLive } from "./agent-record.ts";
import { isDraftLabel } from "./draft-label.ts";

/** Makes a task a draft; a task that has begun stays as it is. */
export function onDraftLabeled({ task, issue }: IssueState): ChangeSet {
  if (task === null)
    return decisionOnly("draft_label", `#${issue} is a draft: an agent that is asked for now waits`, {
      change: "remove the label `draft`, or say `/flotilla start`",
    });
  if (task.state === "DRAFT") return decisionOnly("draft_label", `the task of #${issue} is a draft already`);
  return decisionOnly(
    "draft_label",
    `the task of #${issue} is ${task.state}: it has begun and is no draft any more`,
    {
      change: "`/flotilla pause` holds its agent, `/flotilla cancel` ends it",
      shown: true,
    },
  );
}

/** Makes the task ready when a permitted person removes the label; agents that wait for it start at once. */
export function onDraftUnlabeled(event: DomainEventOf<"issue_unlabeled">, view: IssueState): ChangeSet {
  const { task, issue } = view;
  const by = event.actor.login;
  if (event.own) return decisionOnly("own_act", "we removed the label ourselves");
  if (task?.state !== "DRAFT") return decisionOnly("draft_label", `the task of #${issue} is no draft`);
  if (!event.permitted)
    return decisionOnly("not_permitted", `@${by} has no write permission`, {
      change: "a person with write permission says `/flotilla start`",
      shown: true,
    });
  return {
    ...NO_CHANGES,
    moves: [{ machine: "task", id: task.id, event: { type: "FINALIZE", at: event.at, actor: by } }],
    effects: [{ kind: "status_comment" }],
  };
}

/** Handles `/flotilla start` on a draft whose agent waits: that agent starts, and the label is removed. */
export function startsDraft(
  event: {
    readonly at: number;
    readonly actor: { readonly login: string };
    readonly issue: { readonly labels: readonly string[] };
  },
  view: IssueState,
): ChangeSet | null {
  const { task } = view;
  if (task?.state !== "DRAFT") return null;
  const labels = event.issue.labels.filter(isDraftLabel);
  return {
    ...NO_CHANGES,
    moves: [
      {
        machine: "task",
        id: task.id,
        event: { type: "FINALIZE", at: event.at, actor: event.actor.login },
      },
    ],
    effects: labels.map((label) => ({ kind: "remove_label", label })),
  };
}

/** Returns the coders of a role, or of any role for the empty name, that wait until its task is no draft. */
export function waitsInDraft(view: IssueState, role: string): readonly AgentRecord[] {
  return view.agents.filter((agent) => isLive(agent) && agent.coder && (role === "" || agent.role === role));
}
