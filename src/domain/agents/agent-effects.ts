import type { Effect } from "../kernel/effect.ts";
import { escalatedComment, foreignCommitComment } from "../status/comments.ts";
import { acceptWorkStep } from "../tasks/accept-work-text.ts";
import { DEADLOCK, troubleOf } from "../tasks/escalation.ts";
import { rejectersOf } from "../tasks/stays-rejected.ts";
import type { GuardContext, ResolvedAgentEventOf } from "./agent-event.ts";
import type { AgentRecord } from "./agent-record.ts";

export const statusComment: Effect = { kind: "status_comment" };

/** Keeps the conversation and saves the work; the slot is free after this effect. */
export const keepSession: Effect = { kind: "close_session", checkpoint: true, destroy: false };

/** Returns a new comment, posted once per move: its key contains the version of the move. */
export function comment(agent: AgentRecord, about: string, body: string): Effect {
  return { kind: "post_comment", name: `${agent.name}-${about}-${agent.version + 1}`, body };
}

/**
 * Returns what follows the end of an agent: its process stops, its conversation and worktree are removed, and work that
 * exists nowhere else is archived. `gone` = the issue no longer exists, so nothing is written on it.
 */
export function endEffects(before: AgentRecord, gone = false): readonly Effect[] {
  const session: Effect[] =
    before.sessionId === null
      ? []
      : [{ kind: "close_session", checkpoint: before.worktreePath !== null, destroy: true }];
  return [...session, ...removal(before, gone)];
}

/** Removes the agent's worktree and conversation, after its process has stopped. */
export function removal(before: AgentRecord, gone = false): readonly Effect[] {
  return before.worktreePath === null ? [] : [{ kind: "remove_worktree", quiet: gone }];
}

/** Tells people that somebody else works on the branch: once, however many commits follow. */
export function foreignCommitEffects(
  after: AgentRecord,
  { holder, why }: ResolvedAgentEventOf<"PAUSE">,
  before: AgentRecord,
): readonly Effect[] {
  if (holder !== "commit" || before.heldBy.includes("commit")) return [];
  return [comment(after, "foreign", foreignCommitComment({ role: after.role, why }))];
}

/** Returns what people see of an escalation: the label, the given reason, the people mentioned. */
export function escalateEffects(
  after: AgentRecord,
  around: GuardContext,
  words: Pick<ResolvedAgentEventOf<"ESCALATE">, "reason" | "question" | "replanning">,
): readonly Effect[] {
  return [
    { kind: "add_labels", labels: [around.escalation.label] },
    comment(
      after,
      "escalated",
      escalatedComment({
        role: after.role,
        trouble: troubleOf(after.category),
        reason: words.replanning?.reason ?? words.reason,
        question: words.question,
        breaker: after.breaker,
        acceptStep: acceptWorkStep(after.prNumber, rejectersOf(after, around)),
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
