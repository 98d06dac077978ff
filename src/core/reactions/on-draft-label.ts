import { isDraftLabel } from "../draft-label.ts";
import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, NOTHING, type Reaction, type View } from "../reaction.ts";

/** The label says how a task begins; one that has begun is not taken back by it. */
export function onDraftLabeled({ task, issue }: View): Reaction {
  if (task === null)
    return decided("draft_label", `#${issue} is a draft: an agent that is asked for now waits`, {
      change: "remove the label `draft`, or say `/flotilla start`",
    });
  if (task.state === "DRAFT") return decided("draft_label", `the task of #${issue} is a draft already`);
  return decided(
    "draft_label",
    `the task of #${issue} is ${task.state}: it has begun and is no draft any more`,
    {
      change: "`/flotilla pause` holds its agent, `/flotilla cancel` ends it",
      shown: true,
    },
  );
}

/** A permitted person takes the label away: the task is ready, and whoever waits for it starts at once. */
export function onDraftUnlabeled(occurrence: OccurrenceOf<"issue_unlabeled">, view: View): Reaction {
  const { task, issue } = view;
  const by = occurrence.actor.login;
  if (occurrence.own) return decided("own_act", "we removed the label ourselves");
  if (task?.state !== "DRAFT") return decided("draft_label", `the task of #${issue} is no draft`);
  if (!occurrence.permitted)
    return decided("not_permitted", `@${by} has no write permission`, {
      change: "a person with write permission says `/flotilla start`",
      shown: true,
    });
  return {
    ...NOTHING,
    moves: [{ machine: "task", id: task.id, event: { type: "FINALIZE", at: occurrence.at, actor: by } }],
    effects: [{ kind: "status_comment" }],
  };
}

/** `/flotilla start` on a draft whose agent waits already: that one begins, and the label goes with the draft. */
export function startsDraft(
  occurrence: {
    readonly at: number;
    readonly actor: { readonly login: string };
    readonly issue: { readonly labels: readonly string[] };
  },
  view: View,
): Reaction | null {
  const { task } = view;
  if (task?.state !== "DRAFT") return null;
  const labels = occurrence.issue.labels.filter(isDraftLabel);
  return {
    ...NOTHING,
    moves: [
      {
        machine: "task",
        id: task.id,
        event: { type: "FINALIZE", at: occurrence.at, actor: occurrence.actor.login },
      },
    ],
    effects: labels.map((label) => ({ kind: "remove_label", label })),
  };
}

/** The coders of that role, or of any for the empty name, that wait for its task. */
export function waitsInDraft(view: View, role: string): readonly AgentRecord[] {
  return view.agents.filter((agent) => isLive(agent) && agent.coder && (role === "" || agent.role === role));
}
