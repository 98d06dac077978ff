import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { CLOSED_BY } from "../../domain/questions/approval.ts";
import { isAnswerable } from "../../domain/questions/question.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { StepContext, Stepped } from "../kernel/engine-context.ts";

const waits = ({ state, sleepReason }: Pick<AgentRecord, "state" | "sleepReason">): boolean =>
  state === "ESCALATED" || (state === "SLEEPING" && sleepReason === "question");

/** Withdraws the open questions of an agent that continued or ended without an answer. */
export async function withdrawQuestions(
  { tables }: StepContext,
  { before, after, event }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (before === undefined || !waits(before) || waits(after)) return;
  for (const question of (await tables.questions.ofAgents([after.id])).filter(isAnswerable)) {
    await tables.questions.withdraw(question.id);
    // Nothing is written on an issue that is gone.
    if (event.type === "CANCEL" && event.gone === true) continue;
    const effect = { kind: "question_comment", question: question.id } as const;
    await tables.effects.add([agentEffect(after, effect, `question-${question.id}:withdrawn`, event.at)]);
  }
}

/** Closes the questions about calls and plans of an agent that ended. */
export async function closeApprovals(
  { tables }: StepContext,
  { before, after, event }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (before === undefined || !isLive(before) || isLive(after)) return;
  await tables.approvals.close(after.id, { by: CLOSED_BY, reason: "its agent has ended", at: event.at });
}
