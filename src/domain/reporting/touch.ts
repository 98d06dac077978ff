import type { DomainEvent, DomainEventOf } from "../events/domain-event.ts";
import type { IssueState } from "../kernel/change-set.ts";

/** A person's act for an issue, as the ledger counts it. */
export const TOUCH_KINDS = [
  "comment",
  "command",
  "answer",
  "approval",
  "review",
  "push",
  "merge",
  "revert",
] as const;
type TouchKind = (typeof TOUCH_KINDS)[number];

/** One act of a person; the person's name is not kept. */
export interface Touch {
  readonly repositoryId: number;
  readonly issue: number;
  readonly kind: TouchKind;
  /** Identifies the act, whichever event reports it: unique within the repository. */
  readonly key: string;
  readonly at: number;
}

const VERB_KINDS: Readonly<Record<string, TouchKind>> = {
  answer: "answer",
  approve: "approval",
  deny: "approval",
};

/**
 * Returns a person's act for the issue's work; null for acts of bots and of people without permission, and on an issue
 * that never had an agent, unless it is a command.
 */
export function touchOf(event: DomainEvent, view: Pick<IssueState, "issue" | "agents">): Touch | null {
  const act = actOf(event);
  if (act === null || view.issue === 0) return null;
  if (view.agents.length === 0 && act.kind !== "command") return null;
  const { repository, at } = event;
  return { repositoryId: repository.id, issue: view.issue, kind: act.kind, key: act.key, at };
}

function actOf(event: DomainEvent): Pick<Touch, "kind" | "key"> | null {
  if (event.actor.type !== "User") return null;
  // GitHub itself requires permission to push.
  if (event.type === "pushed") return event.tip === null ? null : { kind: "push", key: `push:${event.tip}` };
  if (!event.permitted) return null;
  switch (event.type) {
    case "commented":
      return { kind: commentKind(event), key: `comment:${event.commentId}` };
    case "comment_edited":
      return { kind: "answer", key: event.delivery };
    case "reviewed":
      return { kind: "review", key: event.source };
    case "pull_closed":
      return event.merged && !event.own ? { kind: "merge", key: `merge:${event.pull}` } : null;
    default:
      return null;
  }
}

function commentKind({ command }: DomainEventOf<"commented">): TouchKind {
  if (command === null) return "comment";
  return VERB_KINDS[command.verb] ?? "command";
}
