import type { Effect } from "../kernel/effect.ts";
import { escalatedComment, foreignCommitComment } from "../status/comments.ts";
import { categoryLabel, DEADLOCK } from "../tasks/escalation.ts";
import { rejectersOf } from "../tasks/stays-rejected.ts";
import { takesWorkStep } from "../tasks/takes-work.ts";
import type { GuardContext, ResolvedAgentEventOf } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

export const statusComment: Effect = { kind: "status_comment" };

/** Keeps the conversation and saves the work; the slot is free once it is done. */
export const keepSession: Effect = { kind: "close_session", checkpoint: true, destroy: false };

/** Returns the escalation label and that of its category go together. */
export function unlabels(before: Pick<AgentRecord, "category">, label: string): readonly Effect[] {
  return [
    { kind: "remove_label", label },
    { kind: "remove_label", label: categoryLabel(before.category) },
  ];
}

/** Returns a comment of its own, once per move: the version of the move is part of its name. */
export function comment(agent: AgentRecord, about: string, body: string): Effect {
  return { kind: "post_comment", name: `${agent.name}-${about}-${agent.version + 1}`, body };
}

/**
 * What follows the end of an agent: a running process is stopped, the conversation goes, the worktree too, its work
 * archived where it is nowhere else. `gone`: there is no issue any more that this could be told on.
 */
export function endEffects(before: AgentRecord, gone = false): readonly Effect[] {
  const session: Effect[] =
    before.sessionId === null
      ? []
      : [{ kind: "close_session", checkpoint: before.worktreePath !== null, destroy: true }];
  return [...session, ...removal(before, gone)];
}

/** What was made for it to work in goes; a process that is still at work there is stopped before. */
export function removal(before: AgentRecord, gone = false): readonly Effect[] {
  return before.worktreePath === null ? [] : [{ kind: "remove_worktree", quiet: gone }];
}

/** That somebody else works on the branch is told once, however many commits it is. */
export function foreignTold(
  after: AgentRecord,
  { holder, why }: ResolvedAgentEventOf<"PAUSE">,
  before: AgentRecord,
): readonly Effect[] {
  if (holder !== "commit" || before.heldBy.includes("commit")) return [];
  return [comment(after, "foreign", foreignCommitComment({ role: after.role, why }))];
}

/** What people see of an escalation: the label, the reason as given, who is told. */
export function escalateEffects(
  after: AgentRecord,
  around: GuardContext,
  words: Pick<ResolvedAgentEventOf<"ESCALATE">, "reason" | "question" | "replanning">,
): readonly Effect[] {
  return [
    { kind: "add_labels", labels: [around.escalation.label, categoryLabel(after.category)] },
    comment(
      after,
      "escalated",
      escalatedComment({
        role: after.role,
        reason: words.replanning?.reason ?? words.reason,
        question: words.question,
        breaker: after.breaker,
        takesWork: takesWorkStep(after.prNumber, rejectersOf(after, around)),
        replanner: words.replanning?.replanner,
        ...(after.category === DEADLOCK
          ? { deadlock: { rounds: around.work.maxCycles, pull: after.prNumber, ended: false } }
          : {}),
        tried: around.tried,
        links: around.links,
        ...around.escalation,
      }),
    ),
    statusComment,
  ];
}
