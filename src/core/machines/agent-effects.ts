import type { Effect } from "../effect.ts";
import { categoryLabel } from "../escalation.ts";
import { escalatedComment, foreignCommitComment } from "../text/comments.ts";
import type { AgentEventOf, Surroundings } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

export const statusComment: Effect = { kind: "status_comment" };

/** Keeps the conversation and saves the work; the slot is free once it is done. */
export const keepSession: Effect = { kind: "close_session", checkpoint: true, destroy: false };

/** The escalation label and that of its category go together. */
export function unlabels(before: Pick<AgentRecord, "category">, label: string): readonly Effect[] {
  return [
    { kind: "remove_label", label },
    { kind: "remove_label", label: categoryLabel(before.category) },
  ];
}

const removeWorktree: Effect = { kind: "remove_worktree" };

/** A comment of its own, once per move: the version of the move is part of its name. */
export function comment(agent: AgentRecord, about: string, body: string): Effect {
  return { kind: "post_comment", name: `${agent.name}-${about}-${agent.version + 1}`, body };
}

/** What follows the end of an agent: a running process is stopped, the conversation goes, the worktree too where it is safe. */
export function endEffects(before: AgentRecord): readonly Effect[] {
  const session: Effect[] =
    before.sessionId === null
      ? []
      : [{ kind: "close_session", checkpoint: before.worktreePath !== null, destroy: true }];
  return before.worktreePath === null ? session : [...session, removeWorktree];
}

/** That somebody else works on the branch is told once, however many commits it is. */
export function foreignTold(
  after: AgentRecord,
  { holder, why }: AgentEventOf<"PAUSE">,
  before: AgentRecord,
): readonly Effect[] {
  if (holder !== "commit" || before.heldBy.includes("commit")) return [];
  return [comment(after, "foreign", foreignCommitComment({ role: after.role, why }))];
}

/** What people see of an escalation: the label, the reason as given, who is told. */
export function escalateEffects(
  after: AgentRecord,
  around: Surroundings,
  words: { readonly reason: string; readonly question: string | null },
): readonly Effect[] {
  return [
    { kind: "add_labels", labels: [around.escalation.label, categoryLabel(after.category)] },
    comment(
      after,
      "escalated",
      escalatedComment({
        role: after.role,
        reason: words.reason,
        question: words.question,
        breaker: after.breaker,
        tried: around.tried,
        links: around.links,
        ...around.escalation,
      }),
    ),
    statusComment,
  ];
}
